-- Shipment verification. In: the pick confirmation that the memo names, a recount, lot reports, delivery agreements,
-- the shipping rules, the ERP's staged lines. Out: lines_reviewed, lines_corrected, units_removed, lines_held,
-- shippable_value.
WITH
-- The staged shipment that the request speaks of: by its number, else by its order's purchase order or its customer.
target AS (
  SELECT s.Shipment AS shipment, s.BuyingPartyNumber AS account
  FROM shipments s JOIN sales_orders o USING (OrderNumber), task
  WHERE s.ShipmentStatus = 'Staged'
  ORDER BY contains(request, s.Shipment) DESC, contains(request, o.CustomerPONumber) DESC,
    contains(request, o.BuyingPartyName) DESC
  LIMIT 1
),
rules AS (
  SELECT
    doc, owner,
    said(doc, '(go(?:es)? up to what was picked, at most to the requested)') IS NOT NULL AS to_requested,
    said(doc, '(in the customer''s delivery agreement in force)') IS NOT NULL AS to_agreement,
    said(doc, '(the staged quantity stays)') IS NOT NULL AS to_staged,
    said(doc, 'right quantity at (the unit price of the sales order line|the list price in force today)')
      = 'the list price in force today' AS at_list
  FROM document JOIN source USING (doc)
  WHERE subject = 'shipping_rules'
  ORDER BY moment DESC
  LIMIT 1
),
confirmed AS (
  SELECT
    texts['Shipment'] AS shipment,
    nums['Shipment line']::BIGINT AS line,
    texts['Item scanned'] AS item,
    nums['Quantity']::BIGINT AS quantity,
    nums['Second count']::BIGINT AS second,
    nums['Pieces per unit']::BIGINT AS pieces,
    coalesce(nums['Loose pieces'], 0)::BIGINT AS loose,
    nullif(texts['Confirmed by'], '') AS signed_by,
    days['Confirmed on'] AS signed_on
  FROM grid
  WHERE doc = named('pick_confirmation', 'pick confirmation')
),
-- Lines of a recount that the warehouse lead, who wrote the rules, signed after the confirmation.
recounted AS (
  SELECT
    f.shipment, f.line::BIGINT AS line, f.item, f.quantity::BIGINT AS quantity, NULL::BIGINT AS second,
    coalesce(nullif(f.pieces, ''), '1')::BIGINT AS pieces, coalesce(nullif(f.loose, ''), '0')::BIGINT AS loose
  FROM (
    SELECT regexp_extract(text,
      '^(\S+) line (\d+): ([^,\s]+)(?:, lot [^,]+)?, (\d+) [^\s,]+(?: of (\d+))?(?: and (\d+) \S+ loose)?',
      ['shipment', 'line', 'item', 'quantity', 'pieces', 'loose']) AS f
    FROM line JOIN document d USING (doc) JOIN source USING (doc) JOIN rules r ON r.owner = d.owner
    WHERE subject = 'recount' AND standing = 'in_force' AND regexp_matches(text, '^\S+ line \d+: ')
      AND said(d.doc, '(I sign for these)') IS NOT NULL
      AND d.moment::DATE >= (SELECT coalesce(max(signed_on), '-infinity'::DATE) FROM confirmed)
  )
),
counted AS (
  SELECT shipment, line, item, quantity, second, pieces, loose FROM recounted
  UNION ALL
  SELECT shipment, line, item, quantity, second, pieces, loose FROM confirmed
  WHERE line NOT IN (SELECT line FROM recounted)
),
lot_lines AS (
  SELECT text, moment = max(moment) OVER () AS latest
  FROM line JOIN source USING (doc) JOIN document USING (doc)
  WHERE subject = 'lot_status'
),
quarantined AS (
  SELECT DISTINCT unnest(regexp_extract_all(regexp_extract(text, 'in quarantine: ([^.]*)\.', 1), '[A-Z]+-\d+')) AS lot
  FROM lot_lines
),
released AS (
  SELECT DISTINCT unnest(regexp_extract_all(regexp_extract(text, 'Released as of now: ([^.]*)\.', 1), '[A-Z]+-\d+'))
    AS lot
  FROM lot_lines WHERE latest
),
-- The latest edition of the agreement with the customer, in percent above the requested quantity.
agreement AS (
  SELECT num(regexp_extract(text, 'takes up to (.*?) % more', 1)) AS over_percent
  FROM line JOIN source USING (doc) JOIN document USING (doc), target
  WHERE subject = 'delivery_agreement' AND contains(text, 'account ' || account || ',')
  ORDER BY moment DESC
  LIMIT 1
),
reviewed AS (
  SELECT
    l.ShippedQuantity AS staged,
    c.item <> l.ItemNumber
      OR coalesce(l.LotNumber IN (SELECT lot FROM quarantined) AND l.LotNumber NOT IN (SELECT lot FROM released), false)
      OR coalesce(c.second <> c.quantity, false) AS held,
    c.quantity * c.pieces + c.loose AS picked,
    CASE
      WHEN to_staged THEN l.ShippedQuantity
      WHEN to_agreement
        THEN floor(l.RequestedQuantity * (100 + coalesce((SELECT over_percent FROM agreement), 0)) / 100)
      WHEN to_requested THEN l.RequestedQuantity
    END::BIGINT AS most,
    CASE WHEN at_list THEN i.ListPrice ELSE o.UnitListPrice END AS price
  FROM shipment_lines l
  JOIN target t ON t.shipment = l.Shipment
  JOIN shipments s ON s.Shipment = l.Shipment
  JOIN sales_order_lines o ON o.OrderNumber = l.OrderNumber AND o.LineNumber = l.OrderLineNumber
  JOIN items i ON i.ItemNumber = l.ItemNumber AND i.OrganizationCode = s.ShipFromOrganizationCode
  LEFT JOIN counted c ON c.line = l.ShipmentLine
  CROSS JOIN rules
  WHERE l.LineStatus = 'Staged'
),
corrected AS (
  SELECT *, CASE WHEN held THEN 0 ELSE least(picked, most) END AS right_quantity FROM reviewed
),
figures AS (
  SELECT
    count(*) AS lines_reviewed,
    count(*) FILTER (NOT held AND right_quantity <> staged) AS lines_corrected,
    sum(greatest(0, staged - right_quantity)) AS units_removed,
    count(*) FILTER (held) AS lines_held,
    sum(cents(right_quantity * price)) AS shippable_value
  FROM corrected
),
verdict AS (
  SELECT CASE
    WHEN EXISTS (FROM confirmed JOIN target USING (shipment) WHERE signed_by IS NULL OR signed_on IS NULL) THEN 4
    WHEN lines_held > 0 THEN 2
    ELSE 1 END AS n
  FROM figures
)
SELECT figures.*, choice.id AS decision, choice.status FROM figures, verdict JOIN choice USING (n);
