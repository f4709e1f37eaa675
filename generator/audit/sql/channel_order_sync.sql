-- Channel order sync. In: the export that the memo names, the coordinator's takeover rules, the customer chat, the
-- Customers tab, the ERP's sales orders. Out: channel_rows, already_synced, duplicate_rows, orders_created,
-- synced_value.
-- What a pack holds changes how its line is keyed in and not what it comes to: quantity times content, at the price
-- divided by content.
WITH
coordinator AS (
  SELECT owner AS address FROM document WHERE number = '18'
),
-- Each edition holds until the coordinator sends another.
rules AS (
  SELECT l.doc
  FROM line AS l JOIN document AS d ON d.doc = l.doc AND d.owner IN (SELECT address FROM coordinator)
  WHERE regexp_matches(l.text, '^Edition \d+ of the takeover rules, in force until I send another')
  ORDER BY d.moment DESC
  LIMIT 1
),
term AS (
  SELECT
    said(doc, ' Before (\d{4}-\d\d-\d\d) the connector wrote ')::DATE AS renumbered,
    said(doc, ' the connector wrote (\S+-) and the digits of the name') AS old_prefix,
    said(doc, '^Orders placed after (\d{4}-\d\d-\d\d) by local time')::DATE AS last_day,
    said(doc, '^Orders placed after \S+ by local time \((\S+)\)') AS zone,
    said(doc, '^(An order whose financial_status is pending is held) ') IS NOT NULL AS holds_unpaid
  FROM rules
),
staff_domain AS (
  SELECT unnest(
    string_split_regex(said(doc, '^Orders from our own people \((.+) addresses\)'), ', | and ')
  ) AS domain
  FROM rules
),
candidate AS (
  SELECT
    doc, value ->> 'shop' AS shop, (value ->> 'generated_at')::TIMESTAMP AS generated,
    value
  FROM data
  WHERE json_exists(value, '$.export')
  UNION ALL
  SELECT of.doc, of.export.shop, rtrim(of.export.generated, 'Z')::TIMESTAMP, NULL
  FROM (
    SELECT doc, regexp_extract(text, '^Orders of (.+) as of (\S+Z), row_count ', ['shop', 'generated']) AS export
    FROM line
    WHERE regexp_matches(text, '^Orders of .+ as of \S+Z, row_count ')
  ) AS of
),
-- Of the shop that the request names: the memo's date first, then the source map, then the latest export.
in_force AS (
  SELECT c.*
  FROM candidate AS c
  JOIN document AS d ON d.doc = c.doc AND d.owner IN (SELECT address FROM coordinator)
  JOIN task AS t ON contains(t.request, c.shop)
  LEFT JOIN source AS s ON s.doc = c.doc AND s.subject = 'channel_export'
  ORDER BY
    exists(SELECT 1 FROM memo WHERE phrase LIKE '%channel export' AND day(phrase) = c.generated::DATE) DESC,
    coalesce(s.standing = 'in_force', false) DESC,
    c.generated DESC
  LIMIT 1
),
export_row AS (
  SELECT
    n,
    o ->> 'id' AS id,
    o ->> 'name' AS name,
    rtrim(o ->> 'created_at', 'Z')::TIMESTAMP AS created,
    rtrim(o ->> 'updated_at', 'Z')::TIMESTAMP AS updated,
    o ->> 'financial_status' AS payment,
    o ->> 'cancelled_at' AS cancelled,
    o -> 'customer' ->> 'name' AS buyer,
    regexp_extract(o -> 'customer' ->> 'email', '@(.+)$', 1) AS domain,
    nullif(o -> 'customer' ->> 'tax_id', '') AS tax_id,
    (o ->> 'subtotal_price')::DECIMAL(18,2) AS subtotal,
    o -> 'line_items' AS lines
  FROM (
    SELECT unnest(orders) AS o, generate_subscripts(orders, 1) AS n
    FROM (SELECT json_extract(value, '$.orders[*]') AS orders FROM in_force)
  )
),
-- The row with the latest update; the first of them where two were updated together.
one_each AS (
  SELECT * FROM export_row
  QUALIFY row_number() OVER (PARTITION BY id ORDER BY updated DESC, n) = 1
),
customer AS (
  SELECT (c.value ->> '$') AS tax_id
  FROM cells AS c JOIN cells AS head USING (tab, col)
  WHERE c.tab = 'Customers' AND head.row = 1 AND (head.value ->> '$') = 'Tax id' AND c.row > 1
),
-- How tax ids look in this country, from those that the office and its shop know: letters and digits in their places.
tax_form AS (
  SELECT '\b(?:' || string_agg(DISTINCT replace(replace(shape, '@', '[A-Z]+'), '#', '[0-9]'), '|') || ')\b' AS form
  FROM (
    SELECT regexp_replace(
      regexp_replace(regexp_replace(tax_id, '([.+/])', '\\\1', 'g'), '[A-Z]+', '@', 'g'), '[0-9]', '#', 'g'
    ) AS shape
    FROM (SELECT tax_id FROM customer UNION SELECT tax_id FROM export_row)
    WHERE tax_id <> ''
  )
),
message AS (
  SELECT
    m ->> 'order' AS name, m ->> 'from' AS speaker, rtrim(m ->> 'at', 'Z')::TIMESTAMP AS said_at,
    regexp_extract_all(m ->> 'text', f.form) AS ids
  FROM (
    SELECT unnest(json_extract(d.value, '$.messages[*]')) AS m
    FROM data AS d
    JOIN source AS s ON s.doc = d.doc AND s.subject = 'customer_capture' AND s.standing = 'in_force'
  ), tax_form AS f
),
known AS (
  SELECT
    r.*,
    coalesce(r.tax_id, (
      SELECT arg_max(s.ids[-1], s.said_at) FROM message AS s
      WHERE s.name = r.name AND s.speaker = r.buyer AND len(s.ids) > 0
    )) AS buyer_tax_id
  FROM one_each AS r
),
-- Each order under its first reason, in the order of the rules.
sorted AS (
  SELECT
    k.*,
    CASE
      WHEN k.cancelled IS NOT NULL OR k.payment IN ('voided', 'refunded') THEN 'void'
      WHEN exists(
        SELECT 1 FROM sales_orders AS o
        WHERE
          o.StatusCode NOT IN ('Cancelled', 'Canceled')
          AND (
            o.SourceTransactionNumber = k.id
            OR o.CustomerPONumber = k.name
            OR (
              o.SourceTransactionNumber = t.old_prefix || regexp_replace(k.name, '\D', '', 'g')
              AND timezone(t.zone, timezone('UTC', o.CreationDate))::DATE < t.renumbered
            )
          )
      ) THEN 'already'
      WHEN k.domain IN (SELECT domain FROM staff_domain) THEN 'test'
      WHEN timezone(t.zone, timezone('UTC', k.created))::DATE > t.last_day THEN 'waiting'
      WHEN k.buyer_tax_id IS NULL THEN 'held'
      WHEN t.holds_unpaid AND k.payment = 'pending'
        AND k.buyer_tax_id NOT IN (SELECT tax_id FROM customer) THEN 'held'
      ELSE 'taken'
    END AS fate
  FROM known AS k, term AS t
),
taken_line AS (
  SELECT
    (l ->> 'quantity')::INTEGER - coalesce((l ->> 'refunded_quantity')::INTEGER, 0) AS quantity,
    (l ->> 'price')::DECIMAL(18,4) AS price
  FROM (SELECT unnest(json_extract(lines, '$[*]')) AS l FROM sorted WHERE fate = 'taken')
),
-- The figures that the export prints of itself are those of its rows.
control AS (
  SELECT
    (f.value ->> 'row_count')::INTEGER = (SELECT count(*) FROM export_row)
    AND (f.value ->> 'goods_total')::DECIMAL(18,2) = (SELECT sum(subtotal) FROM export_row) AS agrees
  FROM in_force AS f
),
answer AS (
  SELECT
    (SELECT count(*) FROM export_row) AS channel_rows,
    (SELECT count(*) FROM sorted WHERE fate = 'already') AS already_synced,
    (SELECT count(*) FROM export_row) - (SELECT count(*) FROM one_each) AS duplicate_rows,
    (SELECT count(*) FROM sorted WHERE fate = 'taken') AS orders_created,
    (SELECT coalesce(sum(cents(quantity * price)), 0) FROM taken_line) AS synced_value
),
verdict AS (
  SELECT CASE
    WHEN NOT coalesce((SELECT agrees FROM control), false) THEN 'stop_export_unreliable'
    WHEN exists(SELECT 1 FROM sorted WHERE fate = 'held') THEN 'sync_and_hold_exceptions'
    ELSE 'sync_missing_orders'
  END AS decision
)
SELECT answer.*, verdict.decision, choice.status
FROM answer, verdict JOIN choice ON choice.id = verdict.decision;
