-- Receivables collection. In: the remittance advice that the memo names, the credit policy in force, the list of
-- disputes, the bank's notice, the ERP's receivables and account. Out: receipt_amount, invoices_settled,
-- remaining_past_due, oldest_days_past_due, past_due_pct_of_limit.
WITH
advice AS (
  SELECT
    doc,
    regexp_extract(max(value) FILTER (label = 'Payer'), 'account (\S+) in your books', 1) AS account,
    max(value) FILTER (label = 'Payment reference') AS reference,
    day(max(value) FILTER (label = 'Value date')) AS value_date,
    num(max(value) FILTER (label = 'Amount paid')) AS amount
  FROM pair
  WHERE doc = named('remittance', 'remittance advice')
  GROUP BY doc
),
-- The latest edition of the credit policy that is in force on the day.
edition AS (
  SELECT doc
  FROM source, task
  WHERE subject = 'credit_policy' AND coalesce(
    (SELECT day(value) FROM pair p WHERE p.doc = source.doc AND label = 'In force from'),
    day(said(source.doc, 'credit policy is (in force from .*?) until'))) <= today
  ORDER BY coalesce(
    (SELECT day(value) FROM pair p WHERE p.doc = source.doc AND label = 'In force from'),
    day(said(source.doc, 'credit policy is (in force from .*?) until'))) DESC
  LIMIT 1
),
policy AS (
  SELECT
    coalesce(num(said(doc, 'comes up to (\d+) days after the discount date still earns it')), 0)::INTEGER AS grace,
    coalesce(num(said(doc, 'A rest of at most (.*?) that is no claim is written off at the desk')), 0) AS desk_rest,
    num(said(doc, 'remaining past due is at most (.*?) % of the limit')) AS most_percent,
    num(said(doc, 'no invoice is more than (\d+) days past due'))::INTEGER AS most_days,
    said(doc, '(Money that the bank cannot tie to a customer of ours, or an advice .* is not entered)') IS NOT NULL AS payer_stops
  FROM edition
),
listed AS (
  SELECT
    texts['Document'] AS number,
    texts['Kind'] AS kind,
    nums['Discount taken'] AS discount,
    nums['Claim kept back'] AS claim,
    nums['Amount paid'] AS paid
  FROM grid JOIN advice USING (doc)
),
netted AS (
  SELECT
    regexp_extract(text, 'Credit memo (\S+) is netted on', 1) AS memo,
    regexp_extract(text, 'is netted on (\S+)\.', 1) AS invoice
  FROM line JOIN advice USING (doc)
  WHERE contains(text, 'is netted on')
),
ledger AS (
  SELECT
    TransactionNumber AS number, TransactionClass AS kind, TransactionDate AS dated, DueDate AS due,
    InvoiceBalanceAmount AS balance, lower(coalesce(Comments, '')) LIKE '%provisional%' AS provisional,
    TRY_CAST(regexp_extract(PaymentTerms, '^([\d.]+) % \d+, Net', 1) AS DECIMAL(9,4)) AS discount_percent,
    TRY_CAST(regexp_extract(PaymentTerms, '% (\d+), Net', 1) AS INTEGER) AS discount_days
  FROM receivables_invoices JOIN advice ON BillToCustomerNumber = account
),
-- What a provisional memo may not net: the invoice that the advice nets it on gets so much less.
withheld AS (
  SELECT n.invoice AS number, sum(-l.paid) AS amount
  FROM netted n JOIN listed l ON l.number = n.memo JOIN ledger g ON g.number = n.memo
  WHERE g.provisional
  GROUP BY n.invoice
),
paid AS (
  SELECT
    g.number, l.claim,
    g.balance - greatest(least(l.paid - coalesce(w.amount, 0), g.balance), 0) AS rest,
    CASE WHEN a.value_date <= g.dated + g.discount_days + p.grace
         THEN least(l.discount, cents(g.balance * g.discount_percent / 100)) ELSE 0 END AS allowed
  FROM ledger g JOIN listed l USING (number) LEFT JOIN withheld w USING (number) CROSS JOIN advice a CROSS JOIN policy p
  WHERE g.kind = 'Invoice'
),
after_discount AS (
  SELECT number, claim, rest - least(allowed, rest) AS rest FROM paid
),
after_receipt AS (
  SELECT
    g.number, g.due, g.balance AS before,
    CASE WHEN r.rest IS NULL THEN g.balance
         WHEN r.claim = 0 AND r.rest <= p.desk_rest THEN 0
         ELSE r.rest END AS balance
  FROM ledger g LEFT JOIN after_discount r USING (number) CROSS JOIN policy p
  WHERE g.kind = 'Invoice'
),
disputed AS (
  SELECT regexp_extract(text, '^([^,\s]+), contested since', 1) AS number
  FROM line JOIN (
    SELECT doc FROM document JOIN source USING (doc) WHERE subject = 'dispute_list' ORDER BY moment DESC LIMIT 1
  ) USING (doc)
  WHERE regexp_matches(text, ': open, not decided$')
),
past_due AS (
  SELECT coalesce(sum(balance), 0) AS amount, coalesce(max(today - due), 0) AS days
  FROM after_receipt, task
  WHERE due < today AND balance > 0 AND number NOT IN (SELECT number FROM disputed)
),
figures AS (
  SELECT
    a.amount AS receipt_amount,
    (SELECT count(*) FROM after_receipt WHERE before > 0 AND balance = 0) AS invoices_settled,
    d.amount AS remaining_past_due,
    d.days AS oldest_days_past_due,
    cents(d.amount * 100 / CreditLimit::DOUBLE) AS past_due_pct_of_limit
  FROM advice a, past_due d, accounts
  WHERE AccountId = a.account
),
-- The bank does not know who paid under the reference, or the advice does not add up to the money.
unclear AS (
  SELECT (payer_stops AND EXISTS (
      FROM line JOIN source USING (doc)
      WHERE subject = 'bank_notice' AND contains(text, reference) AND contains(text, 'cannot tie to any customer')))
    OR (SELECT sum(paid) FROM listed) <> amount AS stops
  FROM advice, policy
),
verdict AS (
  SELECT CASE
    WHEN stops THEN 4
    WHEN remaining_past_due * 100 > most_percent * CreditLimit::DECIMAL(28,4) OR oldest_days_past_due > most_days THEN 2
    ELSE 1 END AS n
  FROM unclear, figures, policy, advice, accounts
  WHERE AccountId = account
)
SELECT figures.*, choice.id AS decision, choice.status FROM figures, verdict JOIN choice USING (n);
