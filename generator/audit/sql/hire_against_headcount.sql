-- Hiring against headcount. In: the approval that the memo names with its signatures and conditions, the candidate
-- register, the wage table, starts told by mail, the ERP's workers. Out: open_headcount, eligible_candidates, hires,
-- monthly_wage_total, contract_months.
WITH
form AS (
  SELECT doc, owner FROM document WHERE number = '20'
),
condition AS (
  SELECT l.text FROM line AS l JOIN form USING (doc)
),
-- Both names of the first condition, and the day that stands beside each at the foot of the form.
signer AS (
  SELECT names.name, max(day(p.value)) AS signed
  FROM (
    SELECT unnest([of.one, of.other]) AS name
    FROM (
      SELECT regexp_extract(text, ' both signatures, (.+?)''s and (.+?)''s\. ', ['one', 'other']) AS of
      FROM condition
      WHERE contains(text, ' both signatures, ')
    )
  ) AS names
  LEFT JOIN (SELECT p.label, p.value FROM pair AS p JOIN form USING (doc)) AS p
    ON p.label LIKE names.name || ',%'
  GROUP BY names.name
),
-- The first signature is the issuer's, who also owns the form on the drive and mails the earlier issues.
approver AS (
  SELECT DISTINCT d.owner AS address
  FROM signer AS s JOIN line AS l ON l.text = s.name JOIN document AS d ON d.doc = l.doc AND d.kind = 'mail'
  WHERE d.owner = (SELECT owner FROM form)
),
candidate AS (
  SELECT
    f.doc,
    max(p.value) FILTER (WHERE p.label = 'Approval') AS number,
    max(num(p.value)) FILTER (WHERE p.label = 'Issue') AS issue,
    max(days(p.value)[1]) FILTER (WHERE p.label = 'Valid') AS valid_from,
    max(days(p.value)[2]) FILTER (WHERE p.label = 'Valid') AS valid_to
  FROM form AS f JOIN pair AS p USING (doc)
  GROUP BY f.doc
  UNION ALL
  SELECT
    doc,
    regexp_extract(text, '^Headcount approval (\S+), issue (\d+) of ', 1),
    num(regexp_extract(text, '^Headcount approval \S+, issue (\d+) of ', 1)),
    days(text)[2],
    days(text)[3]
  FROM line
  WHERE regexp_matches(text, '^Headcount approval \S+, issue \d+ of ')
),
-- The memo names the year's approval; of its issues the source map decides, then the highest issue.
in_force AS (
  SELECT c.*
  FROM candidate AS c
  JOIN document AS d ON d.doc = c.doc AND d.owner IN (SELECT address FROM approver)
  LEFT JOIN source AS s ON s.doc = c.doc AND s.subject = 'headcount_approval'
  ORDER BY
    exists(SELECT 1 FROM memo WHERE phrase = year(c.valid_from) || ' headcount approval') DESC,
    coalesce(s.standing = 'in_force', false) DESC,
    c.issue DESC
  LIMIT 1
),
start AS (
  SELECT day(text) AS hire_date FROM condition WHERE contains(text, 'Everybody hired under it starts on ')
),
employer AS (
  SELECT o.name
  FROM organizations AS o, task AS t
  WHERE o.kind = 'employer' AND contains(t.request, o.name)
  ORDER BY length(o.name) DESC
  LIMIT 1
),
-- The request speaks of the job by its name.
job AS (
  SELECT l.code
  FROM lookups AS l, task AS t
  WHERE l.kind = 'job' AND contains(lower(t.request), lower(l.meaning))
  ORDER BY length(l.meaning) DESC
  LIMIT 1
),
head AS (
  SELECT g.nums['Heads']::INTEGER AS approved, g.days['Released to'] AS released_to
  FROM grid AS g
  JOIN in_force USING (doc)
  JOIN job AS j ON j.code = g.texts['Job']
  JOIN employer AS e ON e.name = g.texts['Legal employer']
  WHERE g.texts['Heads'] IS NOT NULL
),
covered AS (
  SELECT
    (SELECT count(*) = 2 AND bool_and(signed IS NOT NULL AND signed <= t.today) FROM signer)
    AND s.hire_date BETWEEN f.valid_from AND f.valid_to
    AND (h.released_to IS NULL OR s.hire_date <= h.released_to) AS yes
  FROM in_force AS f, start AS s, task AS t, head AS h
),
seats AS (
  SELECT greatest(
    0,
    h.approved - (
      SELECT count(*)
      FROM workers AS w, start AS s
      WHERE
        w.JobCode = (SELECT code FROM job)
        AND w.LegalEmployerName = (SELECT name FROM employer)
        AND w.AssignmentStatus = 'Active'
        AND w.HireDate <= s.hire_date
        AND (w.LastWorkingDate IS NULL OR w.LastWorkingDate >= s.hire_date)
    )
  )::INTEGER AS open
  FROM head AS h
),
started AS (
  SELECT regexp_extract(l.text, ' \((\S+)\) started with us on ', 1) AS candidate
  FROM line AS l, task AS t
  WHERE contains(l.text, ' started with us on ') AND day(l.text) <= t.today
),
grade AS (
  SELECT
    g.texts['Grade'] AS grade,
    g.nums['From full years of experience']::INTEGER AS from_years,
    g.nums['Contract term in months']::INTEGER AS months
  FROM grid AS g JOIN form USING (doc)
  JOIN job AS j ON j.code = g.texts['Job']
  WHERE g.texts['Grade'] IS NOT NULL
),
wage AS (
  SELECT g.texts['grade'] AS grade, g.nums['monthly_wage'] AS monthly
  FROM grid AS g
  JOIN source AS o ON o.doc = g.doc AND o.subject = 'wage_table' AND o.standing = 'in_force'
  JOIN start AS s
    ON g.days['valid_from'] <= s.hire_date AND coalesce(g.days['valid_to'] >= s.hire_date, true)
),
applicant AS (
  SELECT
    g.texts['Candidate'] AS candidate,
    g.nums['Score'] AS score,
    g.days['Applied'] AS applied,
    lower(g.texts['Agency temp on site']) IN ('true', 'yes') AS on_site,
    g.days['Permit valid to'] AS permit_to,
    date_sub('year', g.days['Experience since'], s.hire_date) AS years
  FROM grid AS g
  JOIN source AS o ON o.doc = g.doc AND o.subject = 'candidate_register' AND o.standing = 'in_force'
  JOIN job AS j ON j.code = g.texts['Job']
  JOIN employer AS e ON e.name = g.texts['Legal employer'],
  start AS s,
  task AS t
  WHERE
    g.texts['Stage'] <> 'Withdrawn'
    AND g.days['Certificate valid to'] >= t.today
    AND lower(g.texts['References checked']) IN ('true', 'yes')
    AND g.texts['Candidate'] NOT IN (SELECT candidate FROM started)
),
graded AS (
  SELECT a.*, g.grade, g.months, w.monthly, (s.hire_date + to_months(g.months) - INTERVAL 1 DAY)::DATE AS ends
  FROM applicant AS a
  JOIN grade AS g ON g.from_years = (SELECT max(h.from_years) FROM grade AS h WHERE h.from_years <= a.years)
  JOIN wage AS w ON w.grade = g.grade,
  start AS s
),
-- Where in the sentence on equal scores each tie-break stands; the earlier is asked first.
ties AS (
  SELECT
    instr(text, 'works on site as an agency temp comes first') AS site,
    instr(text, 'the earlier application comes first') AS date
  FROM condition
  WHERE contains(text, 'Eligible candidates are ranked by score')
),
keyed AS (
  SELECT
    g.*,
    g.permit_to IS NULL OR g.permit_to >= g.ends AS permitted,
    CASE WHEN t.site > 0 THEN (NOT g.on_site)::INTEGER ELSE 0 END AS by_site,
    CASE WHEN t.date > 0 THEN g.applied - DATE '2000-01-01' ELSE 0 END AS by_date,
    t.date > 0 AND (t.site = 0 OR t.date < t.site) AS date_first
  FROM graded AS g, ties AS t
),
ordered AS (
  SELECT
    *,
    CASE WHEN date_first THEN (-score, by_date, by_site) ELSE (-score, by_site, by_date) END AS key
  FROM keyed
),
-- How many of the eligible stand before each, whether or not he or she is eligible too.
placed AS (
  SELECT o.*, (SELECT count(*) FROM ordered AS e WHERE e.permitted AND e.key < o.key) AS before
  FROM ordered AS o
),
hire AS (
  SELECT p.* FROM placed AS p, seats AS s WHERE p.permitted AND p.before < s.open
),
referred AS (
  SELECT p.* FROM placed AS p, seats AS s WHERE NOT p.permitted AND p.before < s.open
),
answer AS (
  SELECT
    (SELECT open FROM seats) AS open_headcount,
    (SELECT count(*) FROM ordered WHERE permitted) AS eligible_candidates,
    (SELECT count(*) FROM hire) AS hires,
    cents((SELECT coalesce(sum(monthly), 0) FROM hire)) AS monthly_wage_total,
    (SELECT coalesce(sum(months), 0) FROM hire) AS contract_months
),
verdict AS (
  SELECT CASE
    WHEN NOT coalesce((SELECT yes FROM covered), false) THEN 'stop_headcount_unapproved'
    WHEN exists(SELECT 1 FROM referred) THEN 'hire_clear_and_refer_exceptions'
    ELSE 'hire_to_headcount'
  END AS decision
)
SELECT answer.*, verdict.decision, choice.status
FROM answer, verdict JOIN choice ON choice.id = verdict.decision;
