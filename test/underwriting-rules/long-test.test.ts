import { expect, test } from 'vitest';
import createRule from '../../functions/underwriting-rules/create-underwriting-rule.ts';
import readTest from '../../functions/underwriting-rules/read-rule-test.ts';
import readRule from '../../functions/underwriting-rules/read-underwriting-rule.ts';
import reportRules from '../../functions/underwriting-rules/report-underwriting-rules.ts';
import testRule from '../../functions/underwriting-rules/test-underwriting-rule.ts';
import testUnsaved from '../../functions/underwriting-rules/test-unsaved-rule.ts';
import updateRule from '../../functions/underwriting-rules/update-underwriting-rule.ts';
import { asAccountId } from '../../shared/id/account-id.ts';
import { firstIdAt } from '../../shared/id/mint.ts';
import { submissionKeys } from '../../shared/sales/underwriting-rules/keys.ts';
import type { RuleInput } from '../../shared/sales/underwriting-rules/schema.ts';
import type { SubmissionFacts } from '../../shared/sales/underwriting-rules/submission-facts.ts';
import { deleteAll, putAll } from '../../shared/table/batch-write.ts';
import { drain } from '../harness/drain.ts';
import { eventsAbout } from '../harness/raw-table.ts';
import { putRange } from '../harness/seed.ts';
import { tenant } from '../harness/tenant.ts';

const many = 10_400;
const start = Date.parse('2025-12-31T23:00:00.000Z');
const minute = 60_000;
const period = { from: '2025-12-01T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z' };

const acme = await tenant();
const account = asAccountId(acme.accountId) ?? expect.fail();

/** The `n`th submission, a minute after the one before. A person decided on every second one, a day later. */
function itemsOf(n: number) {
  const submittedAt = new Date(start + n * minute).toISOString();
  const id = firstIdAt(new Date(submittedAt));
  const applicationId = `app_${n}`;
  const keys = (part: 'SUBMISSION' | 'SUBMISSIONOUTCOME') =>
    submissionKeys(part, { account, applicationId, id });
  const facts: SubmissionFacts = {
    form: {
      businessOwners: [],
      risk: { score: n % 100, level: 'low' },
      readiness: { isComplete: true, percentage: 100, missingFields: 0, warnings: 0 },
      documents: { percentage: 100, missing: 0 },
      owners: { count: 0 },
      application: { createdAt: submittedAt },
    },
    method: { method: 'mixed', facts: [] },
    collisions: 0,
    requestedBy: [],
    submittedAt,
  };
  const decision = {
    decision: n % 4 === 0 ? 'approved' : 'rejected',
    decidedBy: 'grace@example.com',
    decidedAt: new Date(start + n * minute + 26 * 60 * minute).toISOString(),
  };
  return [
    { ...keys('SUBMISSION'), type: 'submission', id, applicationId, facts },
    {
      ...keys('SUBMISSIONOUTCOME'),
      type: 'submission-outcome',
      ...{ id, applicationId, results: [] },
      ...(n % 2 === 0 && { decision }),
    },
  ];
}

await putRange(0, many, itemsOf);

const body: RuleInput = {
  name: 'Low risk',
  when: { field: 'risk.score', between: { to: 49 } },
  action: { kind: 'approve' },
};
const create = () => acme.admin.ok(createRule, { body });

test('a test of more than 10,000 submissions is a job, which records its result and emits the event', async () => {
  const rule = await create();
  const params = { id: rule.id };
  const started = await acme.admin.ok(testRule, { params, body: period });
  expect(started).toMatchObject({ status: 'running', ruleVersion: 1, ...period });
  const testId = started.testId ?? expect.fail();
  const progress = await acme.admin.ok(readTest, { params: { ...params, testId } });
  expect(progress).toEqual(started);
  expect(progress).not.toHaveProperty('result');
  await drain();
  const { result, ...finished } = await acme.admin.ok(readTest, { params: { ...params, testId } });
  expect(finished).toEqual({ ...started, status: 'completed', applications: many });
  expect(result).toMatchObject({
    applications: many,
    decided: many / 2,
    actions: [
      {
        applications: many / 2,
        acting: many / 2,
        agree: (13 * many) / 100,
        disagree: (12 * many) / 100,
        undecided: many / 4,
        medianHours: 26,
      },
    ],
  });
  expect(result?.examples).toHaveLength(50);
  expect(result?.examples[0]).toMatchObject({
    agrees: false,
    facts: [{ field: 'risk.score', value: 2, threshold: 49 }],
  });
  const { applicationId = '', submittedAt = '' } = result?.examples[0] ?? {};
  const id = firstIdAt(new Date(submittedAt));
  const key = submissionKeys('SUBMISSION', { account, applicationId, id });
  expect(await deleteAll([key])).toEqual([]);
  const later = await acme.admin.ok(readTest, { params: { ...params, testId } });
  expect(later.result?.examples).toEqual(result?.examples.slice(1));
  expect(await putAll([itemsOf(2)[0] ?? expect.fail()])).toEqual([]);
  expect((await acme.admin.ok(readRule, { params })).tested).toMatchObject({
    applications: many,
    decided: many / 2,
    testedBy: acme.adminEmail,
  });
  const events = await eventsAbout(account, rule.id);
  expect(events.map(({ kind }) => kind)).toEqual([
    'underwriting_auto_rule_created',
    'underwriting_auto_rule_tested',
  ]);
});

test('a job is cancelled if the rule changes meanwhile', async () => {
  const rule = await create();
  const params = { id: rule.id };
  const { testId = expect.fail() } = await acme.admin.ok(testRule, { params, body: period });
  await acme.admin.ok(updateRule, { params, body: { priority: 3 } });
  await drain();
  expect(await acme.admin.ok(readTest, { params: { ...params, testId } })).toMatchObject({
    status: 'cancelled',
  });
});

test('an unsaved rule is not tested with more than 10,000 submissions, and a shorter period is complete', async () => {
  const rule = { when: body.when, action: body.action };
  expect((await acme.admin.call(testUnsaved, { body: { rule, ...period } })).body).toMatchObject({
    error: 'test_too_long',
  });
  const to = new Date(start + 90 * minute).toISOString();
  const { result } = await acme.admin.ok(testUnsaved, { body: { rule, from: period.from, to } });
  expect(result).toMatchObject({ applications: 90, actions: [{ applications: 50 }] });
});

test('a report of 10,000 submissions is one request, and a test of another rule is unknown', async () => {
  expect(await acme.admin.ok(reportRules, { query: period })).toEqual({
    ...period,
    submissions: many,
    data: [],
  });
  const { id } = await create();
  expect((await acme.admin.call(readTest, { params: { id, testId: 1 } })).status).toBe(404);
});
