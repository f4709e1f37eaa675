-- Receiving and invoice match. In: the delivery note that the memo names, the supplier's invoice in its last form, the
-- match policy in force, the ERP's order and invoices. Out: lines_matched, matched_amount, variance_amount, held_lines,
-- payable_amount.
WITH
note AS (
  SELECT doc, max(value) FILTER (label = 'Order') AS purchase_order
  FROM pair
  WHERE doc = named('delivery_note', 'delivery note')
  GROUP BY doc
),
accepted AS (
  SELECT nums['Order line']::INTEGER AS order_line, nums['Accepted']::BIGINT AS quantity
  FROM grid JOIN note USING (doc)
),
first_invoice AS (
  SELECT
    doc, max(value) FILTER (label = 'Invoice') AS number, max(value) FILTER (label = 'Your order') AS purchase_order,
    regexp_extract(max(value) FILTER (label = 'Supplier'), '^(.*), your supplier ', 1) AS supplier
  FROM pair
  WHERE doc IN (SELECT doc FROM source WHERE subject = 'supplier_invoice')
  GROUP BY doc
),
-- A later message of the supplier that says it takes the place of the first.
correction AS (
  SELECT d.doc
  FROM document d JOIN source s USING (doc), first_invoice f
  WHERE s.subject = 'supplier_invoice' AND d.kind = 'mail'
    AND said(d.doc, '(corrected invoice .* takes the place of what we sent first)') IS NOT NULL
    AND said(d.doc, 'corrected invoice (\S+) of') = f.number
    AND said(d.doc, ' for (\S+), delivered under') = f.purchase_order
  ORDER BY d.moment DESC
  LIMIT 1
),
billed AS (
  SELECT
    nums['Your order line']::INTEGER AS order_line, nums['Quantity']::BIGINT AS packs,
    coalesce(nums['Content'], 1)::BIGINT AS content, nums['Unit price']::DECIMAL(18,4) AS pack_price
  FROM grid JOIN first_invoice USING (doc)
  WHERE NOT EXISTS (FROM correction)
  UNION ALL
  SELECT
    TRY_CAST(regexp_extract(text, '^order line (\d+), ', 1) AS INTEGER),
    regexp_extract(text, ': (\d+)(?: \S+ of \d+)? at [\d.,]+, [\d.,]+$', 1)::BIGINT,
    coalesce(nullif(regexp_extract(text, ': \d+ \S+ of (\d+) at [\d.,]+, [\d.,]+$', 1), ''), '1')::BIGINT,
    num(regexp_extract(text, ' at ([\d.,]+), [\d.,]+$', 1))::DECIMAL(18,4)
  FROM line JOIN correction USING (doc)
  WHERE regexp_matches(text, ': \d+(?: \S+ of \d+)? at [\d.,]+, [\d.,]+$')
),
-- The latest edition of the match policy that is in force on the day.
edition AS (
  SELECT doc
  FROM (
    SELECT doc, coalesce(
      (SELECT day(value) FROM pair p WHERE p.doc = s.doc AND label = 'In force from'),
      day(said(s.doc, 'match policy is (in force from .*?) until'))) AS starts
    FROM source s
    WHERE subject = 'match_policy'
  ), task
  WHERE starts <= today
  ORDER BY starts DESC
  LIMIT 1
),
policy AS (
  SELECT
    num(said(doc, 'may differ from the order''s by at most (.*?) %')) AS most_percent,
    num(said(doc, 'times the difference by at most (.*?) for the line')) AS most_amount,
    said(doc, '(both bounds hold, the lower decides)') IS NOT NULL AS both_bounds,
    num(said(doc, 'A charge that is not on the order is matched up to (.*?), above it is not')) AS charge_cap,
    said(doc, '(Under a hold the matched lines may be paid)') IS NOT NULL AS pays_in_part,
    said(doc, '(An invoice that has been entered before, .*? goes back to the supplier)') IS NOT NULL AS refuses_repeats
  FROM edition
),
compared AS (
  SELECT
    b.order_line, b.packs * b.content AS quantity, cents(b.packs * b.pack_price) AS amount,
    b.pack_price, b.content, o.UnitPrice AS ordered_price,
    greatest(0, o.ReceivedQuantity + coalesce(a.quantity, 0) - o.BilledQuantity) AS due
  FROM billed b CROSS JOIN note n
  LEFT JOIN purchase_order_lines o ON o.OrderNumber = n.purchase_order AND o.LineNumber = b.order_line
  LEFT JOIN accepted a ON a.order_line = b.order_line
),
judged AS (
  SELECT
    amount,
    CASE
      WHEN ordered_price IS NULL THEN amount <= coalesce(charge_cap, -1)
      WHEN quantity > due THEN false
      -- Compared for a whole pack, so that no quotient is rounded.
      WHEN both_bounds THEN in_percent AND in_amount
      ELSE in_percent OR in_amount
    END AS matched,
    coalesce(cents(least(quantity, due) * ordered_price), 0) AS value
  FROM (
    SELECT *,
      abs(pack_price - content * ordered_price) * 100 <= content * ordered_price * most_percent AS in_percent,
      abs(pack_price - content * ordered_price) * quantity <= most_amount * content AS in_amount
    FROM compared, policy
  )
),
totals AS (
  SELECT
    count(*) FILTER (matched) AS lines_matched,
    coalesce(sum(amount) FILTER (matched), 0) AS matched_amount,
    sum(amount) - sum(value) AS variance_amount,
    count(*) FILTER (NOT matched) AS held_lines,
    sum(amount) AS amount
  FROM judged
),
figures AS (
  SELECT
    lines_matched, matched_amount, variance_amount, held_lines,
    CASE WHEN held_lines = 0 THEN amount WHEN pays_in_part THEN matched_amount ELSE 0 END AS payable_amount
  FROM totals, policy
),
-- The same supplier's number, whatever marks stand between its parts.
entered_before AS (
  SELECT i.InvoiceId
  FROM invoices i JOIN first_invoice f ON f.supplier = i.Supplier
    AND regexp_replace(upper(i.InvoiceNumber), '[^A-Z0-9]', '', 'g')
      = regexp_replace(upper(f.number), '[^A-Z0-9]', '', 'g')
),
verdict AS (
  SELECT CASE
    WHEN refuses_repeats AND EXISTS (FROM entered_before) THEN 4
    WHEN held_lines > 0 THEN 2
    ELSE 1 END AS n
  FROM figures, policy
)
SELECT figures.*, choice.id AS decision, choice.status FROM figures, verdict JOIN choice USING (n);
