-- Customer order import. In: the sheet that the memo names, the desk's rules, price lists, the ERP's orders, items and
-- receivables, the customer's mail. Out: accepted_lines, rejected_lines, imported_units, order_total, duplicate_lines.
WITH
cover AS (
  SELECT
    doc AS sheet,
    max(texts['Entry']) FILTER (texts['Field'] = 'Purchase order') AS po,
    max(texts['Entry']) FILTER (texts['Field'] = 'Account with supplier') AS account,
    day(max(texts['Entry']) FILTER (texts['Field'] = 'Order date')) AS ordered,
    day(max(texts['Entry']) FILTER (texts['Field'] = 'Quotation of')) AS quoted,
    max(texts['Entry']) FILTER (texts['Field'] = 'Release form') AS form,
    max(texts['Entry']) FILTER (texts['Field'] = 'Contact') AS contact
  FROM grid
  WHERE doc = named('order_batch', 'order batch') AND name = 'Cover'
  GROUP BY doc
),
-- The edition of the desk's rules whose printed dates cover the day; some offices have none in writing.
rules AS (
  SELECT doc
  FROM line JOIN source USING (doc), task
  WHERE subject = 'order_rules' AND regexp_matches(text, '^Edition \d+, valid from')
    AND days(text)[1] <= today AND (days(text)[2] IS NULL OR today <= days(text)[2])
  ORDER BY num(text) DESC
  LIMIT 1
),
ruling AS (
  SELECT
    coalesce(said(doc, '(day of the quotation) that the cover names') IS NOT NULL, false) AS by_quotation,
    num(said(doc, 'whose lines come to more than (.*?) at the customer''s own prices')) AS value_limit,
    said(doc, '(goes in with the successor, in the same quantity, if the customer)') IS NOT NULL AS with_successors
  FROM (SELECT (SELECT doc FROM rules) AS doc)
),
lists AS (
  SELECT doc, min(days['effective_from']) AS starts
  FROM grid JOIN source USING (doc)
  WHERE subject = 'price_list'
  GROUP BY doc
),
listed AS (
  SELECT
    texts['item'] AS item,
    nums['list_price'] AS price,
    nullif(texts['pack_unit'], '') AS pack,
    nums['pack_holds']::BIGINT AS holds,
    nullif(texts['successor'], '') AS successor
  FROM grid
  WHERE doc = (
    SELECT doc FROM lists, cover, ruling
    WHERE starts <= CASE WHEN by_quotation THEN quoted ELSE ordered END
    ORDER BY starts DESC LIMIT 1
  )
),
printed AS (
  SELECT
    name, nums['Line']::INTEGER AS line, texts['Item'] AS item, nums['Quantity']::BIGINT AS quantity,
    nullif(texts['Unit'], '') AS unit, nums['Unit price (customer sheet)'] AS price, texts['Change'] AS change
  FROM grid JOIN cover ON doc = sheet
  WHERE name <> 'Cover'
),
-- Each line number in its last revision, without the cancelled ones.
lines AS (
  SELECT * FROM printed
  QUALIFY row_number() OVER (PARTITION BY line ORDER BY name = 'Order') = 1 AND coalesce(change, '') <> 'cancelled'
),
entered_before AS (
  SELECT SourceLineNumber AS line, ProductNumber AS item
  FROM sales_order_lines JOIN sales_orders o USING (OrderNumber), cover
  WHERE o.CustomerPONumber = po AND o.BuyingPartyNumber = account AND o.StatusCode NOT IN ('Cancelled', 'Canceled')
),
-- "On line 3 and 10 we take NEW instead.", written by the contact that the cover names.
accepted_successor AS (
  SELECT
    unnest(regexp_extract_all(regexp_extract(text, 'On lines? ([^.]*?) we take', 1), '\d+'))::INTEGER AS line,
    regexp_extract(text, 'what we do about (\S+)\.', 1) AS item,
    regexp_extract(text, 'we take (\S+) instead', 1) AS successor
  FROM line JOIN document USING (doc), cover
  WHERE kind = 'mail' AND contains(contact, owner) AND contains(document.name, po) AND contains(text, ' instead.')
),
sold AS (
  SELECT l.*, CASE WHEN i.ItemStatusValue <> 'Active' AND with_successors AND s.successor = p.successor
                   THEN s.successor ELSE l.item END AS sold_as
  FROM lines l CROSS JOIN task CROSS JOIN ruling
  JOIN items i ON i.OrganizationCode = organization AND i.ItemNumber = l.item
  LEFT JOIN listed p ON p.item = l.item
  LEFT JOIN accepted_successor s ON s.line = l.line AND s.item = l.item
),
judged AS (
  SELECT
    s.line, p.price AS list_price,
    CASE WHEN s.unit IS NULL OR s.unit = i.PrimaryUOMValue THEN s.quantity
         WHEN s.unit = p.pack THEN s.quantity * p.holds END AS units,
    CASE
      WHEN (s.line, s.item) IN (SELECT (line, item) FROM entered_before)
        OR EXISTS (FROM lines e WHERE e.line < s.line AND e.item = s.item AND e.quantity = s.quantity)
        THEN 'duplicate'
      WHEN i.ItemStatusValue <> 'Active' THEN 'not sold'
      WHEN NOT (s.unit IS NULL OR s.unit = i.PrimaryUOMValue OR coalesce(s.unit = p.pack, false))
        THEN 'not convertible'
      WHEN s.quantity <= 0 THEN 'no quantity'
      ELSE 'accepted'
    END AS verdict
  FROM sold s CROSS JOIN task
  JOIN items i ON i.OrganizationCode = organization AND i.ItemNumber = s.sold_as
  LEFT JOIN listed p ON p.item = s.sold_as
),
figures AS (
  SELECT
    count(*) FILTER (verdict = 'accepted') AS accepted_lines,
    count(*) FILTER (verdict <> 'accepted') AS rejected_lines,
    coalesce(sum(units) FILTER (verdict = 'accepted'), 0) AS imported_units,
    coalesce(sum(cents(units * list_price)) FILTER (verdict = 'accepted'), 0) AS order_total,
    count(*) FILTER (verdict = 'duplicate') AS duplicate_lines
  FROM judged
),
-- Statuses of orders that count towards the limit, as the credit policy names them.
unbilled AS (
  SELECT unnest(regexp_split_to_array(said(in_force('credit_policy'), 'not billed yet \(status ([^)]*)\)'),
                                      ', | and ')) AS status
),
exposure AS (
  SELECT
    (SELECT coalesce(sum(InvoiceBalanceAmount), 0) FROM receivables_invoices WHERE BillToCustomerNumber = account)
    + (SELECT coalesce(sum(OrderTotal), 0) FROM sales_orders
       WHERE BuyingPartyNumber = account AND SubmittedFlag = 1 AND StatusCode IN (SELECT status FROM unbilled))
    + order_total AS amount
  FROM cover, figures
),
verdict AS (
  SELECT CASE
    WHEN (SELECT sum(quantity * price) FROM lines) > coalesce(value_limit, 'Infinity'::DOUBLE)
      AND NOT regexp_matches(coalesce(form, ''), 'signed \d') THEN 4
    WHEN CreditHoldFlag = 1 OR amount > CreditLimit THEN 2
    ELSE 1 END AS n
  FROM cover, ruling, exposure, accounts
  WHERE AccountId = account
)
SELECT figures.*, choice.id AS decision, choice.status FROM figures, verdict JOIN choice USING (n);
