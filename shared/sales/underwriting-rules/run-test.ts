import { ApiError } from '../../errors.ts';
import type { Actor, Effects } from '../../events/envelope.ts';
import { commit } from '../../events/outbox.ts';
import { systemEvent } from '../../events/system-event.ts';
import type { AccountId } from '../../id/account-id.ts';
import { mintId } from '../../id/mint.ts';
import type { Write } from '../../table/operations.ts';
import { authoredBy, revise } from '../../table/revise.ts';
import { VersionConflict } from '../../table/transact.ts';
import { enqueueWrites } from '../../work-queue/enqueue.ts';
import { type Job, type JobContent, jobStatuses } from '../../work-queue/jobs.ts';
import { jobsOf } from '../../work-queue/keys.ts';
import { findWorkItem } from '../../work-queue/list-work-items.ts';
import type { AttemptResult } from '../../work-queue/work-handler.ts';
import type { WorkItem } from '../../work-queue/work-item.ts';
import {
  type ComparisonState,
  emptyComparison,
  examplesIn,
  resultOf,
  withoutExampleFacts,
} from './compare.ts';
import { ruleTested } from './events.ts';
import { evaluateRule, inOrder } from './run-rules.ts';
import type { RuleAction, RuleComparison, RuleTestRun, StoredRule } from './schema.ts';
import { requireNotArchived, underwritingRules } from './store.ts';
import { findSubmissions } from './submissions.ts';
import { addSubmissions, idsIn, readPeriod, type TestPeriod, testedRules } from './test-rule.ts';

/** A request evaluates at most this many submissions, and for at most this many milliseconds. A job continues the test. */
const maxInRequest = 10_000;
const requestTime = 7_000;
/** A step of a job ends after this many milliseconds, or this many milliseconds before its deadline. */
const stepTime = 8_000;
const margin = 3_000;
/** Jobs and their results are kept for this many milliseconds. */
const keptFor = 30 * 86_400_000;

/** The content of the job in its work queue. `next` is the id of the first submission of the next step. */
interface RuleTestContent extends JobContent {
  job: 'test_underwriting_rule';
  id: number;
  ruleId: number;
  ruleVersion: number;
  /** The condition and the action of the version. */
  definition: Pick<StoredRule, 'when' | 'action'>;
  period: TestPeriod;
  actor: Actor;
  next: number;
  state: ComparisonState;
}

interface TestRequest {
  account: AccountId;
  now: Date;
  deadline: number;
}

/** A test, as far as a request ran it. `next` is set if submissions remain. */
interface PartialTest {
  period: TestPeriod;
  state: ComparisonState;
  next?: number;
}

async function startTest(
  { account, now, deadline }: TestRequest,
  body: { from: string; to?: string },
  rules: ReturnType<typeof testedRules>,
): Promise<PartialTest> {
  const period = readPeriod(body, now);
  const state = emptyComparison();
  const until = Math.min(Date.now() + requestTime, deadline - margin);
  const range = idsIn(period);
  const next = await addSubmissions(account, state, { rules, range, until, most: maxInRequest });
  return { period, state, ...(next !== undefined && { next }) };
}

/** Evaluates a stored rule over the submissions of a period. Throws `rule_archived` and `invalid_input`. */
export async function readRuleTest(
  request: TestRequest & { params: { id: number }; body: { from: string; to?: string } },
): Promise<PartialTest & { rule: StoredRule }> {
  const { account, params, body } = request;
  const [rule, rules] = await Promise.all([
    underwritingRules.get(account, params.id),
    underwritingRules.current(account),
  ]);
  requireNotArchived(rule);
  return { rule, ...(await startTest(request, body, testedRules(rule, rules))) };
}

/** The id and name of an unsaved rule. The id is larger than all others, so that stored rules run first. */
const unsaved = { id: Number.MAX_SAFE_INTEGER, name: 'Unsaved rule', mode: 'off', ruleVersion: 1 } as const;

/** Evaluates an unsaved rule. Throws `test_too_long` if a request cannot evaluate all submissions of the period. */
export async function testUnsavedRule(
  request: TestRequest,
  definition: Pick<StoredRule, 'when' | 'action'> & { priority?: number },
  period: { from: string; to?: string },
): Promise<RuleTestRun> {
  const { when, action, priority = 100 } = definition;
  const tested = { ...unsaved, when, action, priority };
  const rules = testedRules(tested, await underwritingRules.current(request.account));
  const test = await startTest(request, period, rules);
  if (test.next !== undefined) throw new ApiError('test_too_long');
  return completed(test, tested.action);
}

const completed = ({ period, state }: PartialTest, action: RuleAction): RuleTestRun => ({
  status: 'completed',
  ...period,
  applications: state.applications,
  result: resultOf(state, { action }),
});

/** Records a test with the rule, if it is the test of the present version with the most decided applications. */
function recordTest(
  rule: StoredRule,
  { applications, decided }: RuleComparison,
  user: string,
  now: Date,
): StoredRule {
  if (rule.tested && rule.tested.decided > decided) return rule;
  const tested = { applications, decided, testedAt: now.toISOString(), testedBy: user };
  return revise(rule, { tested }, authoredBy(user, now));
}

const itemIdOf = (ruleId: number, id: number): string => `ruletest-${ruleId}-${id}`;

/** Returns the response, writes and events of a test: its result, or the job that continues it. */
export function finishTest(
  { rule, ...test }: PartialTest & { rule: StoredRule },
  { principal, now, account }: { principal: { actor: Actor }; now: Date; account: AccountId },
): Effects & { response: RuleTestRun } {
  const { actor } = principal;
  const { ruleVersion, when, action } = rule;
  const { period, state, next } = test;
  if (next === undefined) {
    const response = { ...completed(test, action), ruleVersion };
    const result = resultOf(state, rule);
    const after = recordTest(rule, result, actor.user, now);
    return { response, writes: replaceOrCheck(rule, after), events: ruleTested(after, result) };
  }
  const id = mintId(now);
  const content: RuleTestContent = {
    job: 'test_underwriting_rule',
    ...{ id, ruleId: rule.id, ruleVersion, definition: { when, action }, period, actor, next },
    state: withoutExampleFacts(state),
  };
  const expires = new Date(now.getTime() + keptFor);
  return {
    response: showTest({ content, status: 'waiting' }),
    writes: enqueueWrites(jobsOf(account), { id: itemIdOf(rule.id, id), due: now, content, expires }, now),
    events: [],
  };
}

const replaceOrCheck = (before: StoredRule, after: StoredRule): Write[] =>
  before === after ? [underwritingRules.unchanged(before)] : underwritingRules.replace(before, after);

/** Runs one step of a test. The last step records the test with the rule. Cancels the test if the rule changed. */
export const testUnderwritingRule: Job<RuleTestContent> = async ({ content }, { account }, run) => {
  const { ruleId, ruleVersion, period, actor } = content;
  const [rule, rules] = await Promise.all([
    underwritingRules.find(account, ruleId),
    underwritingRules.current(account),
  ]);
  if (!rule || rule.archived || rule.ruleVersion !== ruleVersion) return { status: 'cancelled' };
  const until = Math.min(Date.now() + stepTime, run.deadline - margin);
  const state = structuredClone(content.state);
  const range = { ...idsIn(period), from: content.next };
  const most = Number.POSITIVE_INFINITY;
  const next = await addSubmissions(account, state, { rules: testedRules(rule, rules), range, until, most });
  if (next !== undefined)
    return { content: { ...content, state: withoutExampleFacts(state), next }, again: run.now };
  const result = resultOf(state, rule);
  const after = recordTest(rule, result, actor.user, run.now);
  const events = ruleTested(after, result).map((draft) =>
    systemEvent(draft, { account, now: run.now, schedule: 'test_underwriting_rule', actor }),
  );
  const done = { ...content, state: withoutExampleFacts(state), next: range.to + 1 };
  return commitTest(replaceOrCheck(rule, after), events, done, run);
};

async function commitTest(
  writes: Write[],
  events: ReturnType<typeof systemEvent>[],
  content: RuleTestContent,
  { now, deadline }: { now: Date; deadline: number },
): Promise<AttemptResult<RuleTestContent>> {
  try {
    await commit({ writes, events, deadline });
    return { status: 'delivered', content };
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
    // The rule changed meanwhile. The next step reads the rule again and finds no further submissions.
    return { content, again: now };
  }
}

function showTest({ content, status }: Pick<WorkItem<RuleTestContent>, 'content' | 'status'>): RuleTestRun {
  const { id, ruleVersion, period, state, definition } = content;
  return {
    testId: id,
    status: jobStatuses[status],
    ruleVersion,
    ...period,
    applications: state.applications,
    ...(status === 'delivered' && { result: resultOf(state, definition) }),
  };
}

/**
 * Returns the progress or the result of a test that runs as a job. The facts of the examples are evaluated again, and
 * examples of deleted applications are omitted. Throws `not_found`.
 */
export async function readTestRun(
  account: AccountId,
  { id, testId }: { id: number; testId: number },
  now: Date,
): Promise<RuleTestRun> {
  const item = await findWorkItem<RuleTestContent>(jobsOf(account), itemIdOf(id, testId), now);
  if (!item) throw new ApiError('not_found');
  const run = showTest(item);
  if (!run.result) return run;
  const { state, definition } = item.content;
  const [parsed] = inOrder([{ ...unsaved, ...definition, priority: 1 }]);
  const submissions = await findSubmissions(account, examplesIn(state));
  const examples = run.result.examples.flatMap((example) => {
    const found = submissions.find(
      ({ applicationId, facts }) =>
        applicationId === example.applicationId && facts.submittedAt === example.submittedAt,
    );
    return found && parsed ? [{ ...example, facts: evaluateRule(parsed, found.facts).facts }] : [];
  });
  return { ...run, result: { ...run.result, examples } };
}
