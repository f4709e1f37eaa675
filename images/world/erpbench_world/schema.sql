-- The world's tables, schema version 1. One file holds one tenant and one task.
--
-- Money and prices are INTEGER ten-thousandths of the ledger currency (2757.60 is 27576000).
-- Dates are ISO text (2026-02-09), instants ISO text in UTC (2026-02-09T09:00:00Z), flags 0 or 1.
-- Every table has a primary key; a record's key in the trace is that key's columns joined with "/".
-- Column names are the provider's field names where the provider has the field.

-- Facts of the world itself: schema_version, task_id, tenant, company, as_of, local_date, timezone, currency,
-- analyst, business_unit, spreadsheet_id.
CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What erpbench.get_task shows for the task, as one JSON object. Holds no gold.
CREATE TABLE contracts (
  task_id TEXT PRIMARY KEY,
  view TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The next number of each kind of record, e.g. ('sales_orders', 'SO-NBR-', 50011).
CREATE TABLE sequences (
  name TEXT PRIMARY KEY,
  prefix TEXT NOT NULL,
  next INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Inventory organizations, legal employers and business units that writes may name. kind: inventory | employer | business_unit.
CREATE TABLE organizations (
  code TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  name TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Accounting and absence periods. application: order_management | receivables | payables | purchasing | receiving | hcm | pricing.
CREATE TABLE periods (
  application TEXT NOT NULL,
  period TEXT NOT NULL,
  start_date TEXT NOT NULL,
  end_date TEXT NOT NULL,
  status TEXT NOT NULL,
  PRIMARY KEY (application, period)
) STRICT, WITHOUT ROWID;

-- Values that writes may use. kind: transaction_type | source_system | receipt_method | reference_type | receipt_source |
-- receiving_transaction | absence_type | absence_status | document_status | hold_name | job | uom.
CREATE TABLE lookups (
  kind TEXT NOT NULL,
  code TEXT NOT NULL,
  meaning TEXT NOT NULL,
  PRIMARY KEY (kind, code)
) STRICT, WITHOUT ROWID;

CREATE TABLE items (
  ItemId INTEGER PRIMARY KEY,
  OrganizationCode TEXT NOT NULL,
  ItemNumber TEXT NOT NULL,
  ItemDescription TEXT NOT NULL,
  LongDescription TEXT,
  ItemClass TEXT,
  ItemStatusValue TEXT NOT NULL,
  PrimaryUOMValue TEXT NOT NULL,
  ListPrice INTEGER NOT NULL,
  PriceEffectiveDate TEXT NOT NULL,
  UNIQUE (OrganizationCode, ItemNumber)
) STRICT;

-- Other prices of an item: earlier ones that a change replaced (kind history) and later ones not yet in force (kind scheduled).
CREATE TABLE item_prices (
  ItemId INTEGER NOT NULL,
  EffectiveDate TEXT NOT NULL,
  kind TEXT NOT NULL,
  ListPrice INTEGER NOT NULL,
  PRIMARY KEY (ItemId, EffectiveDate)
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
  AccountId TEXT PRIMARY KEY,
  CustomerName TEXT NOT NULL,
  CreditLimit INTEGER NOT NULL,
  CreditHoldFlag INTEGER NOT NULL,
  PaymentTerms TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sales_orders (
  OrderNumber TEXT PRIMARY KEY,
  CustomerPONumber TEXT NOT NULL,
  BuyingPartyNumber TEXT,
  BuyingPartyName TEXT NOT NULL,
  SourceTransactionNumber TEXT NOT NULL,
  SourceTransactionSystem TEXT NOT NULL,
  TransactionType TEXT NOT NULL,
  RequestedFulfillmentOrganizationCode TEXT NOT NULL,
  SubmittedFlag INTEGER NOT NULL,
  StatusCode TEXT NOT NULL,
  OrderTotal INTEGER NOT NULL,
  CreationDate TEXT NOT NULL,
  CreatedBy TEXT NOT NULL,
  LastUpdateDate TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- SourceLineNumber: the line of the customer's document, where the order records it.
CREATE TABLE sales_order_lines (
  OrderNumber TEXT NOT NULL,
  LineNumber INTEGER NOT NULL,
  SourceLineNumber INTEGER,
  ProductNumber TEXT NOT NULL,
  OrderedQuantity INTEGER NOT NULL,
  OrderedUOM TEXT NOT NULL,
  UnitListPrice INTEGER NOT NULL,
  ExtendedAmount INTEGER NOT NULL,
  PRIMARY KEY (OrderNumber, LineNumber)
) STRICT, WITHOUT ROWID;

CREATE TABLE shipments (
  Shipment TEXT PRIMARY KEY,
  OrderNumber TEXT NOT NULL,
  BuyingPartyNumber TEXT NOT NULL,
  ShipFromOrganizationCode TEXT NOT NULL,
  ShipmentStatus TEXT NOT NULL,
  PlannedShipDate TEXT NOT NULL,
  CarrierName TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE shipment_lines (
  ShipmentLine INTEGER PRIMARY KEY,
  Shipment TEXT NOT NULL,
  OrderNumber TEXT NOT NULL,
  OrderLineNumber INTEGER NOT NULL,
  ItemNumber TEXT NOT NULL,
  LotNumber TEXT,
  UOM TEXT NOT NULL,
  RequestedQuantity INTEGER NOT NULL,
  ShippedQuantity INTEGER NOT NULL,
  UnitSellingPrice INTEGER NOT NULL,
  LineStatus TEXT NOT NULL,
  Comments TEXT
) STRICT;

-- InvoiceBalanceAmount falls as receipts are applied. Credit memos have TransactionClass 'Credit Memo' and negative amounts.
CREATE TABLE receivables_invoices (
  CustomerTransactionId INTEGER PRIMARY KEY,
  TransactionNumber TEXT NOT NULL UNIQUE,
  TransactionClass TEXT NOT NULL,
  BillToCustomerNumber TEXT NOT NULL,
  BillToCustomerName TEXT NOT NULL,
  PurchaseOrder TEXT,
  TransactionDate TEXT NOT NULL,
  DueDate TEXT NOT NULL,
  PaymentTerms TEXT NOT NULL,
  InvoiceCurrencyCode TEXT NOT NULL,
  EnteredAmount INTEGER NOT NULL,
  InvoiceBalanceAmount INTEGER NOT NULL,
  InvoiceStatus TEXT NOT NULL,
  Comments TEXT
) STRICT;

CREATE TABLE standard_receipts (
  StandardReceiptId INTEGER PRIMARY KEY,
  ReceiptNumber TEXT NOT NULL UNIQUE,
  CustomerAccountNumber TEXT NOT NULL,
  ReceiptAmount INTEGER NOT NULL,
  ReceiptDate TEXT NOT NULL,
  ReceiptMethod TEXT NOT NULL,
  BusinessUnit TEXT NOT NULL,
  Currency TEXT NOT NULL,
  AppliedAmount INTEGER NOT NULL,
  UnappliedAmount INTEGER NOT NULL,
  State TEXT NOT NULL,
  CreationDate TEXT NOT NULL,
  CreatedBy TEXT NOT NULL
) STRICT;

-- ReferenceType: Invoice | Credit Memo | Discount, as the lookups list them. ApplyAmount as the call gave it.
CREATE TABLE remittance_references (
  StandardReceiptId INTEGER NOT NULL,
  LineNumber INTEGER NOT NULL,
  ReferenceType TEXT NOT NULL,
  ReferenceNumber TEXT NOT NULL,
  ApplyAmount INTEGER NOT NULL,
  PRIMARY KEY (StandardReceiptId, LineNumber)
) STRICT, WITHOUT ROWID;

CREATE TABLE onhand_balances (
  OrganizationCode TEXT NOT NULL,
  ItemNumber TEXT NOT NULL,
  SubinventoryCode TEXT NOT NULL,
  OnhandQuantity INTEGER NOT NULL,
  ReservedQuantity INTEGER NOT NULL,
  UOM TEXT NOT NULL,
  PRIMARY KEY (OrganizationCode, ItemNumber, SubinventoryCode)
) STRICT, WITHOUT ROWID;

CREATE TABLE suppliers (
  SupplierNumber TEXT PRIMARY KEY,
  Supplier TEXT NOT NULL UNIQUE,
  SupplierStatus TEXT NOT NULL,
  LeadTimeDays INTEGER NOT NULL,
  PaymentTerms TEXT NOT NULL,
  Comments TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE purchase_orders (
  OrderNumber TEXT PRIMARY KEY,
  Supplier TEXT NOT NULL,
  ProcurementBU TEXT NOT NULL,
  ShipToOrganizationCode TEXT NOT NULL,
  Status TEXT NOT NULL,
  CreationDate TEXT NOT NULL,
  CurrencyCode TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE purchase_order_lines (
  OrderNumber TEXT NOT NULL,
  LineNumber INTEGER NOT NULL,
  ItemNumber TEXT NOT NULL,
  Description TEXT NOT NULL,
  Quantity INTEGER NOT NULL,
  UOM TEXT NOT NULL,
  UnitPrice INTEGER NOT NULL,
  PromisedDate TEXT NOT NULL,
  ReceivedQuantity INTEGER NOT NULL,
  BilledQuantity INTEGER NOT NULL,
  LineStatus TEXT NOT NULL,
  PRIMARY KEY (OrderNumber, LineNumber)
) STRICT, WITHOUT ROWID;

CREATE TABLE purchase_requisitions (
  Requisition TEXT PRIMARY KEY,
  RequisitioningBU TEXT NOT NULL,
  Preparer TEXT NOT NULL,
  Description TEXT NOT NULL,
  Justification TEXT NOT NULL,
  DocumentStatus TEXT NOT NULL,
  RequisitionTotal INTEGER NOT NULL,
  CreationDate TEXT NOT NULL,
  SubmittedDate TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE purchase_requisition_lines (
  Requisition TEXT NOT NULL,
  LineNumber INTEGER NOT NULL,
  ItemNumber TEXT NOT NULL,
  Quantity INTEGER NOT NULL,
  UOM TEXT NOT NULL,
  UnitPrice INTEGER NOT NULL,
  Supplier TEXT NOT NULL,
  RequestedDeliveryDate TEXT NOT NULL,
  PRIMARY KEY (Requisition, LineNumber)
) STRICT, WITHOUT ROWID;

CREATE TABLE receiving_receipt_requests (
  ReceiptNumber TEXT PRIMARY KEY,
  ReceiptSourceCode TEXT NOT NULL,
  OrganizationCode TEXT NOT NULL,
  VendorName TEXT,
  CreationDate TEXT NOT NULL,
  CreatedBy TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE receiving_receipt_lines (
  ReceiptNumber TEXT NOT NULL,
  LineNumber INTEGER NOT NULL,
  DocumentNumber TEXT NOT NULL,
  DocumentLineNumber INTEGER NOT NULL,
  ItemNumber TEXT NOT NULL,
  Quantity INTEGER NOT NULL,
  TransactionType TEXT NOT NULL,
  PRIMARY KEY (ReceiptNumber, LineNumber)
) STRICT, WITHOUT ROWID;

CREATE TABLE invoices (
  InvoiceId INTEGER PRIMARY KEY,
  InvoiceNumber TEXT NOT NULL,
  Supplier TEXT NOT NULL,
  BusinessUnit TEXT NOT NULL,
  InvoiceAmount INTEGER NOT NULL,
  InvoiceCurrency TEXT NOT NULL,
  InvoiceDate TEXT NOT NULL,
  ValidationStatus TEXT NOT NULL,
  PaidStatus TEXT NOT NULL,
  CreationDate TEXT NOT NULL,
  CreatedBy TEXT NOT NULL,
  UNIQUE (Supplier, InvoiceNumber)
) STRICT;

-- A line without a purchase order (freight, a surcharge) has no order, order line or item.
CREATE TABLE invoice_lines (
  InvoiceId INTEGER NOT NULL,
  LineNumber INTEGER NOT NULL,
  PurchaseOrderNumber TEXT,
  PurchaseOrderLineNumber INTEGER,
  ItemNumber TEXT,
  Description TEXT,
  Quantity INTEGER NOT NULL,
  UnitPrice INTEGER NOT NULL,
  LineAmount INTEGER NOT NULL,
  PRIMARY KEY (InvoiceId, LineNumber)
) STRICT, WITHOUT ROWID;

CREATE TABLE invoice_holds (
  HoldId INTEGER PRIMARY KEY,
  InvoiceId INTEGER NOT NULL,
  HoldName TEXT NOT NULL,
  HoldReason TEXT NOT NULL,
  HeldBy TEXT NOT NULL,
  HoldDate TEXT NOT NULL
) STRICT;

CREATE TABLE workers (
  PersonNumber TEXT PRIMARY KEY,
  DisplayName TEXT NOT NULL,
  LegalEmployerName TEXT NOT NULL,
  JobCode TEXT NOT NULL,
  AssignmentStatus TEXT NOT NULL,
  HireDate TEXT NOT NULL,
  ContractEndDate TEXT,
  LastWorkingDate TEXT,
  MonthlySalary INTEGER NOT NULL,
  CandidateId TEXT UNIQUE
) STRICT, WITHOUT ROWID;

-- MandatoryCheckFlag marks a mandatory check (VerifiedFlag says whether it has been verified); other rows are papers that expire.
CREATE TABLE document_records (
  DocumentRecordId INTEGER PRIMARY KEY,
  PersonNumber TEXT NOT NULL,
  DisplayName TEXT NOT NULL,
  LegalEmployerName TEXT NOT NULL,
  DocumentType TEXT NOT NULL,
  DocumentNumber TEXT,
  IssueDate TEXT,
  ExpirationDate TEXT,
  MandatoryCheckFlag INTEGER NOT NULL,
  VerifiedFlag INTEGER NOT NULL,
  Status TEXT NOT NULL,
  LastUpdateDate TEXT NOT NULL
) STRICT;

CREATE TABLE absences (
  AbsenceId INTEGER PRIMARY KEY,
  personNumber TEXT NOT NULL,
  absenceType TEXT NOT NULL,
  startDate TEXT NOT NULL,
  endDate TEXT NOT NULL,
  employer TEXT NOT NULL,
  absenceStatusCd TEXT NOT NULL,
  creationDate TEXT NOT NULL,
  createdBy TEXT NOT NULL
) STRICT;

CREATE TABLE mail (
  id TEXT PRIMARY KEY,
  threadId TEXT NOT NULL,
  sender TEXT NOT NULL,
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  date TEXT NOT NULL,
  body TEXT NOT NULL,
  labels TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE drafts (
  id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL,
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  review_status TEXT NOT NULL,
  created TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- content is the text that files.download returns; the native bytes lie in the files directory as <path>, with this digest.
CREATE TABLE drive_files (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  mimeType TEXT NOT NULL,
  version INTEGER NOT NULL,
  modifiedTime TEXT NOT NULL,
  isCurrentAuthority INTEGER NOT NULL,
  description TEXT NOT NULL,
  owner TEXT NOT NULL,
  path TEXT NOT NULL,
  size INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sheet_tabs (
  tab TEXT PRIMARY KEY,
  spreadsheetId TEXT NOT NULL,
  row_count INTEGER NOT NULL,
  column_count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- cell is the A1 name with its tab, e.g. Register!A21; value is the cell as JSON (a string, number or boolean).
CREATE TABLE cells (
  cell TEXT PRIMARY KEY,
  tab TEXT NOT NULL,
  row INTEGER NOT NULL,
  col INTEGER NOT NULL,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE channels (
  name TEXT PRIMARY KEY,
  purpose TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What people wrote before the episode. Posts of the episode stand in posts.
CREATE TABLE slack_messages (
  id INTEGER PRIMARY KEY,
  channel TEXT NOT NULL,
  ts TEXT NOT NULL,
  thread_ts TEXT NOT NULL,
  user TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE posts (
  id TEXT PRIMARY KEY,
  task_id TEXT NOT NULL,
  channel TEXT NOT NULL,
  text TEXT NOT NULL,
  review_status TEXT NOT NULL,
  ts TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- source_refs is a JSON array of strings.
CREATE TABLE decisions (
  task_id TEXT PRIMARY KEY,
  decision_id TEXT NOT NULL,
  decision TEXT NOT NULL,
  status TEXT NOT NULL,
  primary_record TEXT NOT NULL,
  rationale TEXT NOT NULL,
  source_refs TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- answers is the submitted JSON object with sorted keys.
CREATE TABLE submissions (
  task_id TEXT PRIMARY KEY,
  answers TEXT NOT NULL,
  submitted TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row a call, written in the transaction of the call's effect. outcome: ok | refused | invalid | unknown_tool.
-- saw and wrote are JSON arrays of [table, key] pairs; arguments is the call's JSON object (cut at 64 KiB as {"truncated": n}).
-- chain is sha256(previous chain + the row's other columns as JSON), hex; the first row's previous chain is 64 zeros.
CREATE TABLE trace (
  idx INTEGER PRIMARY KEY,
  server TEXT NOT NULL,
  tool TEXT NOT NULL,
  arguments TEXT NOT NULL,
  outcome TEXT NOT NULL,
  error TEXT,
  saw TEXT NOT NULL,
  wrote TEXT NOT NULL,
  chain TEXT NOT NULL
) STRICT;
