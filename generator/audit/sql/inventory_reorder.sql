-- Inventory reorder. In: the reorder policy that the memo names, the demand forecast, the reservation list, a spending
-- release, the ERP's stock, orders and suppliers. Out: items_below_reorder, units_to_order, requisition_amount,
-- supplier_lead_time_days, days_late.
WITH
-- The edition that is signed and whose dates cover the day, as the workbook lists its editions.
edition AS (
  SELECT doc, texts['Edition'] AS edition
  FROM grid, task
  WHERE doc = named('reorder_policy', 'reorder policy') AND name = 'Editions' AND texts['Signed by'] <> ''
    AND days['In force from'] <= today AND coalesce(days['In force to'] >= today, true)
    AND ends_with(doc, '-' || texts['Edition'])
),
levels AS (
  SELECT
    texts['Organization'] AS organization, texts['Item'] AS item,
    coalesce(nums['Reorder point'], nums['Reorder point (weeks)'])::BIGINT AS point,
    coalesce(nums['Order up to'], nums['Order up to (weeks)'])::BIGINT AS up_to,
    map_contains(nums, 'Reorder point (weeks)') AS in_weeks,
    nums['Minimum']::BIGINT AS minimum, nums['Multiple']::BIGINT AS multiple,
    regexp_extract(texts['First supplier'], '\(([^()]+)\)$', 1) AS first_supplier, nums['Unit cost'] AS first_cost,
    nullif(regexp_extract(texts['Second supplier'], '\(([^()]+)\)$', 1), '') AS second_supplier,
    nums['Second''s unit cost'] AS second_cost
  FROM grid JOIN edition USING (doc)
  WHERE grid.name = edition.edition
),
rule AS (
  SELECT
    max(num(regexp_extract(text, 'promised date at most (\d+) calendar days after today', 1)))::INTEGER AS window_days,
    bool_or(contains(text, 'in working days (Monday to Friday')) AS in_working_days,
    max(days(regexp_extract(text, 'the site being closed on ([^)]*)\)', 1))) AS closed,
    max(num(regexp_extract(text, 'The desk submits a requisition of at most (.*?)\. A larger', 1))) AS submit_limit,
    max(num(regexp_extract(text, 'a requisition of more than (.*?) also needs a spending release', 1)))
      AS release_limit,
    max(nullif(regexp_extract(text, 'a spending release: a message of [^,]*, (.*?), for the organization', 1), ''))
      AS released_by
  FROM (SELECT texts['Rule'] AS text FROM grid JOIN edition USING (doc) WHERE name = 'Rules')
),
forecast AS (
  SELECT
    texts['Organization'] AS organization, texts['Item'] AS item, nums['Weekly demand']::BIGINT AS weekly,
    days['Needed by'] AS needed_by
  FROM grid
  WHERE doc = in_force('demand_forecast')
),
-- "ORG1 ITEM: 120 reserved, 84 for SO-1, 36 for SO-2"
reserved AS (
  SELECT
    regexp_extract(text, '^(\S+) \S+: \d+ reserved', 1) AS organization,
    regexp_extract(text, '^\S+ (\S+): \d+ reserved', 1) AS item,
    unnest(regexp_extract_all(text, '(\d+) for [^,\s]+', 1))::BIGINT AS quantity,
    unnest(regexp_extract_all(text, '\d+ for ([^,\s]+)', 1)) AS sales_order
  FROM line
  WHERE doc = in_force('reservation_list') AND regexp_matches(text, '^\S+ \S+: \d+ reserved')
),
cancelled AS (
  SELECT organization, item, sum(quantity) AS quantity
  FROM reserved JOIN sales_orders ON OrderNumber = sales_order
  WHERE StatusCode IN ('Cancelled', 'Canceled')
  GROUP BY organization, item
),
stock AS (
  SELECT OrganizationCode AS organization, ItemNumber AS item, sum(OnhandQuantity - ReservedQuantity) AS quantity
  FROM onhand_balances
  GROUP BY ALL
),
supply AS (
  SELECT
    o.ShipToOrganizationCode AS organization, l.ItemNumber AS item, sum(l.Quantity - l.ReceivedQuantity) AS quantity
  FROM purchase_orders o JOIN purchase_order_lines l USING (OrderNumber), task, rule
  WHERE o.Status = 'Open' AND l.LineStatus = 'Open' AND l.PromisedDate <= today + window_days
  GROUP BY ALL
),
positions AS (
  SELECT
    l.*, f.needed_by,
    l.point * if(in_weeks, f.weekly, 1) AS reorder_point,
    l.up_to * if(in_weeks, f.weekly, 1) AS fill_to,
    coalesce(s.quantity, 0) + coalesce(c.quantity, 0) + coalesce(p.quantity, 0) AS position
  FROM levels l
  JOIN task t ON t.organization = l.organization
  JOIN items i ON i.OrganizationCode = l.organization AND i.ItemNumber = l.item AND i.ItemStatusValue = 'Active'
  LEFT JOIN forecast f ON f.organization = l.organization AND f.item = l.item
  LEFT JOIN stock s ON s.organization = l.organization AND s.item = l.item
  LEFT JOIN cancelled c ON c.organization = l.organization AND c.item = l.item
  LEFT JOIN supply p ON p.organization = l.organization AND p.item = l.item
),
ordered AS (
  SELECT
    n.item, n.needed_by,
    ceil(greatest(n.fill_to - n.position, n.minimum) / n.multiple)::BIGINT * n.multiple AS quantity,
    CASE WHEN f.SupplierStatus IN ('Blocked', 'Inactive') AND n.second_supplier IS NOT NULL
         THEN n.second_cost ELSE n.first_cost END AS cost,
    CASE WHEN f.SupplierStatus IN ('Blocked', 'Inactive') AND n.second_supplier IS NOT NULL
         THEN n.second_supplier ELSE n.first_supplier END AS supplier
  FROM positions n JOIN suppliers f ON f.SupplierNumber = n.first_supplier
  WHERE n.position < n.reorder_point
),
lines AS (
  SELECT o.*, s.LeadTimeDays AS lead_time FROM ordered o JOIN suppliers s ON s.SupplierNumber = o.supplier
),
longest AS (
  SELECT coalesce(max(lead_time), 0) AS lead_time FROM lines
),
-- Working days after today, numbered.
calendar AS (
  SELECT d::DATE AS day, row_number() OVER (ORDER BY d) AS n
  FROM task, rule, range(today + INTERVAL 1 DAY, today + INTERVAL 2 YEAR, INTERVAL 1 DAY) AS r(d)
  WHERE isodow(d) < 6 AND NOT coalesce(list_contains(closed, d::DATE), false)
),
arrival AS (
  SELECT CASE WHEN in_working_days THEN (SELECT c.day FROM calendar c WHERE c.n = lead_time)
              ELSE today + lead_time::INTEGER END AS day
  FROM longest, task, rule
),
figures AS (
  SELECT
    count(*) AS items_below_reorder,
    coalesce(sum(quantity), 0) AS units_to_order,
    coalesce(sum(cents(quantity * cost)), 0) AS requisition_amount,
    max(longest.lead_time) AS supplier_lead_time_days,
    coalesce(max(greatest(0, day - needed_by)) FILTER (lines.lead_time = longest.lead_time), 0) AS days_late
  FROM lines, longest, arrival
),
release AS (
  SELECT
    num(regexp_extract(text, 'requisitions for \S+ of up to (.*?) each', 1)) AS amount,
    day(regexp_extract(text, 'valid through (.*?);', 1)) AS valid_to
  FROM line JOIN source USING (doc) JOIN document USING (doc), task, rule
  WHERE subject = 'spending_release' AND contains(text, 'requisitions for ' || organization || ' of up to')
    AND said(doc, '^(' || released_by || ')$') IS NOT NULL AND moment::DATE <= today
),
verdict AS (
  SELECT CASE
    WHEN NOT EXISTS (FROM edition) THEN 4
    WHEN requisition_amount > release_limit AND NOT EXISTS (
      FROM release, task WHERE today <= valid_to AND requisition_amount <= amount) THEN 4
    WHEN requisition_amount > submit_limit THEN 2
    ELSE 1 END AS n
  FROM figures, rule
)
SELECT figures.*, choice.id AS decision, choice.status FROM figures, verdict JOIN choice USING (n);
