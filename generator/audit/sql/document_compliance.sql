-- Document compliance. In: the checklist that the memo names with its windows and rules, releases and renewals by mail,
-- the alert log, the ERP's workers, papers and checks. Out: expiring_in_window, unalerted_expiring, workers_blocked,
-- checks_verified, days_to_earliest_expiry.
WITH
-- The request names the employer under review and speaks of the other one without its name.
employer AS (
  SELECT o.name
  FROM organizations AS o, task AS t
  WHERE o.kind = 'employer' AND contains(t.request, o.name)
  ORDER BY length(o.name) DESC
  LIMIT 1
),
rule AS (
  SELECT g.doc, g.texts['Rule'] AS text
  FROM grid AS g JOIN document AS d USING (doc)
  WHERE d.number = '14' AND g.name = 'Rules'
),
-- Who may issue a checklist is the one who blocks and releases; the address is where mail of that name comes from.
officer AS (
  SELECT DISTINCT d.owner AS address
  FROM rule AS r
  JOIN line AS l ON l.text = regexp_extract(r.text, '^Blocking is done by (.+) alone\.', 1)
  JOIN document AS d ON d.doc = l.doc AND d.kind = 'mail'
),
candidate AS (
  SELECT doc, day(text) AS issued FROM rule WHERE regexp_matches(text, '^Checklist \S+, issued ')
  UNION ALL
  SELECT doc, day(text) FROM line WHERE regexp_matches(text, '^Compliance checklist \S+, issued ')
),
-- The memo's date first, then the source map, then the latest issue; of documents that the officer issued.
in_force AS (
  SELECT c.doc
  FROM candidate AS c
  JOIN document AS d ON d.doc = c.doc AND d.owner IN (SELECT address FROM officer)
  LEFT JOIN source AS s ON s.doc = c.doc AND s.subject = 'compliance_checklist'
  ORDER BY
    exists(SELECT 1 FROM memo WHERE phrase LIKE '%compliance checklist' AND day(phrase) = c.issued) DESC,
    coalesce(s.standing = 'in_force', false) DESC,
    c.issued DESC
  LIMIT 1
),
kind AS (
  SELECT
    g.texts['Paper'] AS paper,
    g.nums['Window in days']::INTEGER AS window_days,
    lower(g.texts['Expired blocks']) IN ('true', 'yes') AS blocks
  FROM grid AS g JOIN in_force USING (doc)
  WHERE g.texts['Window in days'] IS NOT NULL
),
received AS (
  SELECT g.texts['Check'] AS check_type, g.texts['Person number'] AS person, g.days['Valid until'] AS valid_until
  FROM grid AS g JOIN in_force USING (doc)
  WHERE g.texts['Name on paper'] IS NOT NULL
),
blocking_check AS (
  SELECT lower(unnest(string_split_regex(regexp_extract(text, ' or by an open (.+?) that this review', 1), ' or ')))
    AS check_type
  FROM rule JOIN in_force USING (doc)
  WHERE contains(text, ' or by an open ')
  UNION
  SELECT lower(unnest(string_split(regexp_extract(text, '^Open checks that block a worker: (.+)\.', 1), ', ')))
  FROM line JOIN in_force USING (doc)
  WHERE text LIKE 'Open checks that block a worker:%'
),
-- On the checklist itself, or by the officer's mail for the employer.
released AS (
  SELECT
    bool_or(regexp_matches(text, ' Released by .+ on '))
    OR (
      bool_or(contains(text, ' releases it by mail, for each legal employer'))
      AND exists(
        SELECT 1
        FROM line AS l JOIN document AS d USING (doc), employer AS e, task AS t
        WHERE
          d.owner IN (SELECT address FROM officer)
          AND l.text LIKE 'Release % for ' || e.name || ' is given as of %'
          AND day(l.text) <= t.today
      )
    ) AS yes
  FROM rule JOIN in_force USING (doc)
),
alert AS (
  SELECT g.nums['record']::BIGINT AS record, g.days['expiry_alerted'] AS expiry
  FROM grid AS g JOIN source AS s ON s.doc = g.doc AND s.subject = 'document_alert_log'
  WHERE s.standing = 'in_force'
),
renewal AS (
  SELECT regexp_extract(text, ' \((\S+)\) handed in the renewed (.+) today\. .* takes the place of (\S+)\. ', [
    'person', 'paper', 'number'
  ]) AS found
  FROM line
  WHERE contains(text, ' handed in the renewed ')
),
held AS (
  SELECT r.*, w.LastWorkingDate
  FROM document_records AS r
  JOIN workers AS w USING (PersonNumber)
  JOIN employer AS e ON e.name = r.LegalEmployerName
  WHERE w.AssignmentStatus = 'Active'
),
-- Those that no renewal has replaced, neither one that came by mail nor one that is keyed in.
paper AS (
  SELECT h.*, k.window_days, k.blocks
  FROM held AS h JOIN kind AS k ON k.paper = h.DocumentType
  WHERE
    h.MandatoryCheckFlag = 0
    AND NOT exists(
      SELECT 1 FROM renewal
      WHERE found.person = h.PersonNumber AND found.number = h.DocumentNumber
        AND found.paper = lower(h.DocumentType)
    )
    AND NOT exists(
      SELECT 1 FROM held AS later
      WHERE later.PersonNumber = h.PersonNumber AND later.DocumentType = h.DocumentType
        AND later.MandatoryCheckFlag = 0 AND later.ExpirationDate > h.ExpirationDate
    )
),
expiring AS (
  SELECT
    p.ExpirationDate AS expires,
    exists(SELECT 1 FROM alert AS a WHERE a.record = p.DocumentRecordId AND a.expiry = p.ExpirationDate) AS alerted
  FROM paper AS p, task AS t
  WHERE
    p.ExpirationDate BETWEEN t.today AND t.today + p.window_days
    AND (p.LastWorkingDate IS NULL OR p.LastWorkingDate >= p.ExpirationDate)
),
open_check AS (
  SELECT
    h.PersonNumber,
    lower(h.DocumentType) IN (SELECT check_type FROM blocking_check) AS blocks,
    exists(
      SELECT 1 FROM received AS x
      WHERE x.check_type = h.DocumentType AND x.person = h.PersonNumber
        AND (x.valid_until IS NULL OR x.valid_until >= t.today)
    ) AS proven
  FROM held AS h, task AS t
  WHERE h.MandatoryCheckFlag = 1 AND h.VerifiedFlag = 0
),
blocked AS (
  SELECT p.PersonNumber FROM paper AS p, task AS t WHERE p.ExpirationDate < t.today AND p.blocks
  UNION
  SELECT PersonNumber FROM open_check WHERE blocks AND NOT proven
),
answer AS (
  SELECT
    (SELECT count(*) FROM expiring) AS expiring_in_window,
    (SELECT count(*) FROM expiring WHERE NOT alerted) AS unalerted_expiring,
    (SELECT count(*) FROM blocked) AS workers_blocked,
    (SELECT count(*) FROM open_check WHERE proven) AS checks_verified,
    coalesce((SELECT min(expires) FROM expiring) - (SELECT today FROM task), 0) AS days_to_earliest_expiry
),
verdict AS (
  SELECT CASE
    WHEN NOT (SELECT yes FROM released) THEN 'stop_refer_to_hr'
    WHEN workers_blocked > 0 THEN 'alert_verify_and_recommend_block'
    ELSE 'alert_and_verify'
  END AS decision
  FROM answer
)
SELECT answer.*, verdict.decision, choice.status
FROM answer, verdict JOIN choice ON choice.id = verdict.decision;
