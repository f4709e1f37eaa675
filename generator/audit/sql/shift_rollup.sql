-- Shift roll-up. In: the roster that the memo names with its leave and rules, what the supervisor confirmed in the
-- channel, the work reports, an objection by mail. Out: expected_staff, reporting_staff, late_reports, overtime_hours,
-- missing_staff.
WITH
rule AS (
  SELECT g.doc, g.texts['Rule'] AS text
  FROM grid AS g JOIN document AS d USING (doc)
  WHERE d.number = '16' AND g.name = 'Rules'
),
-- The name and the channel that count are the rules'; the address is where mail of that name comes from.
supervisor AS (
  SELECT DISTINCT c.name, c.channel, d.owner AS address
  FROM (
    SELECT unnest(regexp_extract(text, '^A swap counts once (.+) has confirmed it in (#[\w-]+)', ['name', 'channel']))
    FROM rule
    WHERE text LIKE 'A swap counts once %'
  ) AS c
  JOIN line AS l ON l.text = c.name
  JOIN document AS d ON d.doc = l.doc AND d.kind = 'mail'
),
candidate AS (
  SELECT doc, regexp_extract(text, '^Roster version (\d+), issued ', 1)::INTEGER AS version, day(text) AS issued
  FROM (SELECT doc, text FROM rule UNION ALL SELECT doc, text FROM line)
  WHERE regexp_matches(text, '^Roster version \d+, issued ')
),
-- The memo's date first, then the source map, then the highest version; of rosters that the supervisor issued.
in_force AS (
  SELECT c.doc, c.version
  FROM candidate AS c
  JOIN document AS d ON d.doc = c.doc AND d.owner IN (SELECT address FROM supervisor)
  LEFT JOIN source AS s ON s.doc = c.doc AND s.subject = 'shift_roster'
  ORDER BY
    exists(SELECT 1 FROM memo WHERE phrase LIKE '%roster' AND day(phrase) = c.issued) DESC,
    coalesce(s.standing = 'in_force', false) DESC,
    c.version DESC
  LIMIT 1
),
shifts AS (
  SELECT
    g.texts['Shift code'] AS code,
    g.texts['Shift'] AS letter,
    g.times['Starts'] AS starts,
    g.times['Ends'] AS ends,
    g.nums['Paid minutes']::INTEGER AS paid
  FROM grid AS g JOIN document AS d USING (doc)
  WHERE d.number = '16' AND g.texts['Starts'] IS NOT NULL
),
-- The request speaks of the latest shift of a weekday and a letter, such as Sunday's C shift.
shift AS (
  SELECT s.*
  FROM shifts AS s, task AS t
  WHERE contains(t.request, dayname(s.starts) || '''s ' || s.letter || ' shift') AND s.starts::DATE <= t.today
  ORDER BY s.starts DESC
  LIMIT 1
),
number AS (
  SELECT
    max(num(regexp_extract(text, ' filed between (\d+) minutes before that shift', 1)))::INTEGER AS before,
    max(num(regexp_extract(text, ' and (\d+) minutes after its end, both moments included', 1)))::INTEGER AS after,
    max(num(regexp_extract(text, '^A person is late .+ more than (\d+) minutes after', 1)))::INTEGER AS grace,
    max(num(regexp_extract(text, ' Up to and including (\d+) minutes over are nothing', 1)))::INTEGER AS threshold,
    max(num(regexp_extract(text, '^Overtime .+ full (\d+) minutes', 1)))::INTEGER AS step,
    bool_or(regexp_matches(text, '^Overtime .+ to the nearest full \d+ minutes, half of them upward')) AS nearest,
    max(num(regexp_extract(text, '^When fewer than (\d+) persons have reported', 1)))::INTEGER AS cover
  FROM rule
),
-- What the supervisor wrote in the channel of the rules.
note AS (
  SELECT m.id, m.text
  FROM slack_messages AS m JOIN supervisor AS s ON m."user" = s.name AND m.channel = s.channel
),
swap AS (
  SELECT regexp_extract(
    n.text, '^Confirmed for (\S+): .+ \((P-\S+)\) and .+ \((P-\S+)\) change places', ['on', 'one', 'other']
  ) AS of
  FROM note AS n
  WHERE n.text LIKE 'Confirmed for %change places.'
),
exchanged AS (
  SELECT s.of.one AS person, s.of.other AS takes FROM swap AS s, shift AS t WHERE s.of.on::DATE = t.starts::DATE
  UNION
  SELECT s.of.other, s.of.one FROM swap AS s, shift AS t WHERE s.of.on::DATE = t.starts::DATE
),
place AS (
  SELECT g.texts['Person number'] AS person, g.texts['Shift code'] AS code
  FROM grid AS g JOIN in_force USING (doc)
  WHERE g.texts['Line'] IS NOT NULL
),
-- Each person in the place that he or she has after the swaps.
rostered AS (
  SELECT p.person
  FROM place AS p
  LEFT JOIN exchanged AS x ON x.person = p.person
  JOIN place AS q ON q.person = coalesce(x.takes, p.person)
  JOIN shift AS s ON s.code = q.code
),
spoken_leave AS (
  SELECT
    w.of.person AS person,
    strptime(w.of.day || ' ' || w.of.since, '%Y-%m-%d %H:%M') AS since,
    strptime(w.of.day || ' ' || w.of.until, '%Y-%m-%d %H:%M')
      + CASE WHEN w.of.until <= w.of.since THEN INTERVAL 1 DAY ELSE INTERVAL 0 DAY END AS until,
    w.of.fate AS fate
  FROM (
    SELECT regexp_extract(
      text, '^Leave for .+ \((P-\S+)\) on (\S+) from (\d+:\d+) to (\d+:\d+) is (approved|withdrawn)',
      ['person', 'day', 'since', 'until', 'fate']
    ) AS of
    FROM note
    WHERE text LIKE 'Leave for %'
  ) AS w
),
leave AS (
  SELECT g.texts['Person number'] AS person, g.times['From'] AS since, g.times['To'] AS until
  FROM grid AS g JOIN document AS d USING (doc)
  WHERE d.number = '16' AND g.name = 'Leave' AND g.times['Approved'] IS NOT NULL
  UNION
  SELECT person, since, until FROM spoken_leave WHERE fate = 'approved'
),
away AS (
  SELECT l.person
  FROM leave AS l JOIN shift AS s ON l.since < s.ends AND l.until > s.starts
  WHERE NOT exists(
    SELECT 1 FROM spoken_leave AS w WHERE w.fate = 'withdrawn' AND w.person = l.person AND w.since = l.since
  )
),
expected AS (
  SELECT DISTINCT person FROM rostered WHERE person NOT IN (SELECT person FROM away)
),
report AS (
  SELECT
    g.texts['person_number'] AS person,
    g.texts['report'] AS report,
    g.times['filed_local'] AS filed,
    g.texts['kind'] AS kind,
    g.nums['minutes_worked']::INTEGER AS minutes
  FROM grid AS g
  JOIN source AS o ON o.doc = g.doc AND o.subject = 'shift_work_reports' AND o.standing = 'in_force'
  JOIN shift AS s ON s.letter = g.texts['shift']
  JOIN number AS n ON g.times['filed_local'] BETWEEN s.starts - to_minutes(n.before) AND s.ends + to_minutes(n.after)
  WHERE g.texts['person_number'] IN (SELECT person FROM expected)
),
reporting AS (
  SELECT
    person,
    min(filed) AS first_filed,
    arg_max(minutes, (filed, report)) FILTER (WHERE kind = 'End') AS minutes
  FROM report
  GROUP BY person
),
overtime AS (
  SELECT
    CASE
      WHEN coalesce(r.minutes - s.paid, 0) <= n.threshold THEN 0
      WHEN n.nearest THEN floor((r.minutes - s.paid) / n.step + 0.5) * n.step
      ELSE (r.minutes - s.paid) // n.step * n.step
    END AS minutes
  FROM reporting AS r, shift AS s, number AS n
),
-- An objection to the version in force that is filed for this shift and that nobody has taken back.
contested AS (
  SELECT count(*) > 0 AS yes
  FROM line AS l
  JOIN line AS filed ON filed.doc = l.doc
  JOIN source AS o ON o.doc = l.doc AND o.subject = 'roster_objection' AND o.standing = 'in_force'
  JOIN in_force AS f ON contains(l.text, ' objects to roster version ' || f.version || '. The objection is open')
  JOIN shift AS s ON contains(filed.text, ' concerns shift ' || s.code || ' ')
),
answer AS (
  SELECT
    (SELECT count(*) FROM expected) AS expected_staff,
    (SELECT count(*) FROM reporting) AS reporting_staff,
    (
      SELECT count(*) FROM reporting AS r, shift AS s, number AS n WHERE r.first_filed > s.starts + to_minutes(n.grace)
    ) AS late_reports,
    cents((SELECT sum(minutes) FROM overtime) / 60.0) AS overtime_hours,
    (SELECT count(*) FROM expected WHERE person NOT IN (SELECT person FROM reporting)) AS missing_staff
),
verdict AS (
  SELECT CASE
    WHEN (SELECT yes FROM contested) THEN 'stop_roster_unconfirmed'
    WHEN reporting_staff < (SELECT cover FROM number) THEN 'record_absences_and_escalate_cover'
    ELSE 'record_absences'
  END AS decision
  FROM answer
)
SELECT answer.*, verdict.decision, choice.status
FROM answer, verdict JOIN choice ON choice.id = verdict.decision;
