-- Price batch. In: the batch that the memo names, releases and corrections by mail, the pricing policy in force, the
-- item master and the prices it holds for later dates. Out: batch_lines, accepted_lines, rejected_lines,
-- superseded_lines, average_change_pct.
-- Prices are reckoned in whole ten-thousandths, other figures in whole millionths, so that nothing is rounded early.
WITH RECURSIVE
-- Below its headline the request names the organization first, and the other one only to leave it out.
organization AS (
  SELECT o.code
  FROM organizations AS o, (SELECT regexp_replace(request, '^\*\*.*?\*\*', '') AS text FROM task) AS r
  WHERE o.kind = 'inventory' AND contains(r.text, o.name)
  ORDER BY instr(r.text, o.name)
  LIMIT 1
),
manager AS (
  SELECT owner AS address FROM document WHERE number = '23'
),
policy AS (
  SELECT l.doc
  FROM line AS l
  JOIN document AS d ON d.doc = l.doc AND d.owner IN (SELECT address FROM manager)
  LEFT JOIN source AS s ON s.doc = l.doc AND s.subject = 'pricing_policy',
  task AS t
  WHERE
    regexp_matches(l.text, '^Pricing policy \S+, in force from ')
    AND days(l.text)[1] <= t.today
    AND coalesce(days(l.text)[2] >= t.today, contains(l.text, ' until further notice'))
  ORDER BY
    coalesce(s.standing = 'in_force', false) DESC,
    num(regexp_extract(l.text, '^Pricing policy \D*(\d+)', 1)) DESC
  LIMIT 1
),
rule AS (
  SELECT l.text FROM line AS l JOIN policy USING (doc)
),
held AS (
  SELECT g.texts['Organization'] AS organization, g.texts['Item'] AS item, g.texts['Class'] AS class,
    (g.nums['Standard cost'] * 1000000)::HUGEINT AS cost
  FROM grid AS g JOIN policy USING (doc)
  WHERE g.texts['Standard cost'] IS NOT NULL
),
band AS (
  SELECT of.class, (num(of.percent) * 1000000)::HUGEINT AS percent
  FROM (
    SELECT regexp_extract(
      unnest(regexp_extract_all(text, 'class \w+, [\d.,]+ %')), 'class (\w+), ([\d.,]+) %', ['class', 'percent']
    ) AS of
    FROM rule
    WHERE text LIKE 'The change against the old price may be up to and including %'
  )
),
unit AS (
  SELECT of.uom, num(of.pieces)::HUGEINT AS pieces
  FROM (
    SELECT regexp_extract(
      unnest(string_split(regexp_extract(text, ' divided by its pieces \((.+?)\)', 1), '; ')),
      '^(\S+) is (\d+)$', ['uom', 'pieces']
    ) AS of
    FROM rule
    WHERE contains(text, ' divided by its pieces (')
  )
),
rate AS (
  SELECT of.currency, (dot(of.rate) * 1000000)::HUGEINT AS rate
  FROM (
    SELECT regexp_extract(
      unnest(regexp_extract_all(text, 'A batch in \S+ is entered in \S+ at [\d.]+ ')),
      'A batch in (\S+) is entered in \S+ at ([\d.]+) ', ['currency', 'rate']
    ) AS of
    FROM rule
    WHERE contains(text, 'A batch in ')
  )
),
number AS (
  SELECT
    coalesce(dot(said(doc, ' rounded half up to a multiple of ([\d.]+),')) * 10000, 1)::HUGEINT AS step,
    (dot(said(doc, '^The new price may not lie below ([\d.]+) times')) * 1000000)::HUGEINT AS factor,
    said(doc, '^(A price that the system holds already) for the same .+ date stays\.') IS NOT NULL AS keeps_standing,
    said(doc, '^Only the version of a batch that (.+) has released for the organization') AS releaser
  FROM policy
),
candidate AS (
  SELECT DISTINCT g.doc, g.texts['batch'] AS number, g.nums['version']::INTEGER AS version
  FROM grid AS g JOIN document AS d USING (doc)
  WHERE d.number = '23'
  UNION ALL
  SELECT of.doc, of.batch.number, of.batch.version::INTEGER
  FROM (
    SELECT doc, regexp_extract(text, '^Price batch (\S+), version (\d+) of ', ['number', 'version']) AS batch
    FROM line
    WHERE regexp_matches(text, '^Price batch \S+, version \d+ of ')
  ) AS of
),
-- The memo names the batch by its label, the source map the version; then the highest version.
in_force AS (
  SELECT c.*
  FROM candidate AS c
  JOIN document AS d ON d.doc = c.doc AND d.owner IN (SELECT address FROM manager)
  LEFT JOIN source AS s ON s.doc = c.doc AND s.subject = 'price_batch'
  ORDER BY
    exists(
      SELECT 1 FROM memo
      WHERE phrase LIKE '% price batch' AND ends_with(c.number, '-' || replace(phrase, ' price batch', ''))
    ) DESC,
    coalesce(s.standing = 'in_force', false) DESC,
    c.version DESC
  LIMIT 1
),
withdrawn AS (
  SELECT unnest(regexp_extract_all(of.lines, '\d+'))::INTEGER AS line
  FROM (
    SELECT regexp_extract(
      l.text, '^In (\S+), version (\d+), I take back lines? ([\d, and]+):', ['number', 'version', 'lines']
    ) AS back
    FROM line AS l JOIN document AS d ON d.doc = l.doc AND d.owner IN (SELECT address FROM manager)
    WHERE contains(l.text, ', I take back line')
  ) AS x(of)
  JOIN in_force AS f ON f.number = of.number AND f.version = of.version::INTEGER
),
batch AS (
  SELECT
    g.nums['line']::INTEGER AS line,
    g.texts['organization'] AS organization,
    g.texts['item'] AS item,
    g.texts['price_per'] AS uom,
    g.days['effective_from'] AS effective,
    (g.nums['new_price'] * 1000000)::HUGEINT AS printed,
    (g.nums['change_pct'] * 1000000)::HUGEINT AS change,
    nullif(g.texts['currency'], '') AS currency
  FROM grid AS g JOIN in_force USING (doc)
  WHERE g.nums['line']::INTEGER NOT IN (SELECT line FROM withdrawn)
),
-- Every price that the system holds, with the day from which it does.
stood AS (
  SELECT ItemId, PriceEffectiveDate AS since, ListPrice AS price, false AS scheduled FROM items
  UNION ALL
  SELECT ItemId, EffectiveDate, ListPrice, true FROM item_prices WHERE kind = 'scheduled'
),
settled AS (
  SELECT
    b.*,
    i.ItemId,
    i.PrimaryUOMValue,
    exists(
      SELECT 1 FROM batch AS o
      WHERE o.organization = b.organization AND o.item = b.item AND o.effective = b.effective AND o.line > b.line
    ) OR (
      n.keeps_standing
      AND exists(SELECT 1 FROM stood AS s WHERE s.scheduled AND s.ItemId = i.ItemId AND s.since = b.effective)
    ) AS superseded,
    b.organization = (SELECT code FROM organization)
    AND i.ItemStatusValue = 'Active'
    AND NOT exists(
      SELECT 1 FROM periods AS p
      WHERE p.application = 'pricing' AND p.status = 'Closed' AND b.effective BETWEEN p.start_date AND p.end_date
    ) AS admissible
  FROM batch AS b
  LEFT JOIN items AS i ON i.OrganizationCode = b.organization AND i.ItemNumber = b.item,
  number AS n
),
priced AS (
  SELECT
    s.ItemId,
    s.effective,
    row_number() OVER (PARTITION BY s.ItemId ORDER BY s.effective, s.line) AS place,
    s.printed * CASE WHEN s.currency IS NULL THEN 1000000 ELSE r.rate END AS amount,
    CASE WHEN s.uom = s.PrimaryUOMValue THEN 1 ELSE u.pieces END * 100000000::HUGEINT AS divisor,
    s.change,
    c.cost,
    b.percent AS band,
    before.since AS stood_since,
    (before.price * 10000)::HUGEINT AS stood_at
  FROM settled AS s
  LEFT JOIN unit AS u ON u.uom = s.uom
  LEFT JOIN rate AS r ON r.currency = s.currency
  LEFT JOIN held AS c ON c.organization = s.organization AND c.item = s.item
  LEFT JOIN band AS b ON b.class = c.class,
  LATERAL (
    SELECT max(x.since) AS since, arg_max(x.price, x.since) AS price
    FROM stood AS x
    WHERE x.ItemId = s.ItemId AND x.since < s.effective
  ) AS before
  WHERE s.admissible AND NOT s.superseded
),
-- An item's lines by date: what is accepted for an earlier day is the old price of the next.
walk AS (
  SELECT DISTINCT
    ItemId, 0::BIGINT AS place, NULL::DATE AS since, NULL::HUGEINT AS latest,
    NULL::HUGEINT AS old, NULL::HUGEINT AS new, NULL::BOOLEAN AS accepted
  FROM priced
  UNION ALL
  SELECT
    ItemId, place, CASE WHEN passes THEN effective ELSE since END, CASE WHEN passes THEN new ELSE latest END,
    old, new, passes
  FROM (
    SELECT
      *,
      abs(new - old) * 100000000 <= band * old AND new * 100000000 >= factor * cost AS passes
    FROM (
      SELECT
        *,
        CASE
          WHEN change IS NULL THEN (2 * amount + divisor * step) // (2 * divisor * step) * step
          ELSE (2 * old * (100000000 + change) + 100000000 * step) // (200000000 * step) * step
        END AS new
      FROM (
        SELECT
          p.*, w.since, w.latest, n.step, n.factor,
          CASE WHEN w.since >= p.stood_since THEN w.latest ELSE p.stood_at END AS old
        FROM walk AS w
        JOIN priced AS p ON p.ItemId = w.ItemId AND p.place = w.place + 1,
        number AS n
      )
    )
  )
),
-- What the person whom the policy names has released of the batch, for all organizations or for this one.
release AS (
  SELECT r.of.version::INTEGER AS version, d.moment AS given
  FROM (
    SELECT doc, regexp_extract(
      text, '^Released for entry(?: in (\S+))?: (\S+), version (\d+)\.', ['organization', 'number', 'version']
    ) AS of
    FROM line
    WHERE text LIKE 'Released for entry%'
  ) AS r
  JOIN document AS d ON d.doc = r.doc
  JOIN line AS signed ON signed.doc = r.doc
  JOIN number AS n ON n.releaser = signed.text
  JOIN in_force AS f ON f.number = r.of.number
  WHERE r.of.organization IN ('', (SELECT code FROM organization))
),
-- The latest release is for the version on file, or the policy asks for none.
released AS (
  SELECT
    n.releaser IS NULL OR coalesce((SELECT arg_max(version, given) FROM release) = f.version, false) AS yes
  FROM number AS n, in_force AS f
),
answer AS (
  SELECT
    (SELECT count(*) FROM settled) AS batch_lines,
    (SELECT count(*) FROM walk WHERE accepted) AS accepted_lines,
    (SELECT count(*) FROM settled WHERE NOT superseded)
    - (SELECT count(*) FROM walk WHERE accepted) AS rejected_lines,
    (SELECT count(*) FROM settled WHERE superseded) AS superseded_lines,
    cents((SELECT coalesce(avg((new - old) * 100 / old), 0) FROM walk WHERE accepted)) AS average_change_pct
),
verdict AS (
  SELECT CASE
    WHEN NOT (SELECT yes FROM released) THEN 'stop_batch_unapproved'
    WHEN exists(SELECT 1 FROM walk WHERE NOT accepted) THEN 'apply_accepted_refer_exceptions'
    ELSE 'apply_accepted_lines'
  END AS decision
)
SELECT answer.*, verdict.decision, choice.status
FROM answer, verdict JOIN choice ON choice.id = verdict.decision;
