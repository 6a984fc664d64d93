import { describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApplication from '../../functions/applications/create-application.ts';
import decideApplication from '../../functions/applications/decide-application.ts';
import deleteApplication from '../../functions/applications/delete-application.ts';
import readApplication from '../../functions/applications/read-application.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import updateApplication from '../../functions/applications/update-application.ts';
import updateUnderwriting from '../../functions/applications/update-underwriting.ts';
import createRule from '../../functions/underwriting-rules/create-underwriting-rule.ts';
import deleteRule from '../../functions/underwriting-rules/delete-underwriting-rule.ts';
import listRules from '../../functions/underwriting-rules/list-underwriting-rules.ts';
import readRule from '../../functions/underwriting-rules/read-underwriting-rule.ts';
import reportRules from '../../functions/underwriting-rules/report-underwriting-rules.ts';
import testRule from '../../functions/underwriting-rules/test-underwriting-rule.ts';
import testUnsaved from '../../functions/underwriting-rules/test-unsaved-rule.ts';
import toggleRule from '../../functions/underwriting-rules/toggle-underwriting-rule.ts';
import updateRule from '../../functions/underwriting-rules/update-underwriting-rule.ts';
import updateUser from '../../functions/users/update-user.ts';
import { exportAccount } from '../../infra/operations/export-account.ts';
import { asAccountId } from '../../shared/id/account-id.ts';
import type { ApplicationInput } from '../../shared/sales/applications/record/schema.ts';
import type { RuleAction, RuleInput } from '../../shared/sales/underwriting-rules/schema.ts';
import { applicant } from '../harness/applicant.ts';
import { concurrently } from '../harness/concurrently.ts';
import { drain } from '../harness/drain.ts';
import { expectTrueDryRun } from '../harness/dry-run.ts';
import { canaries, filledApplication } from '../harness/filled-application.ts';
import { beforeNextTransaction } from '../harness/interleave.ts';
import { member } from '../harness/member.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
import { type Client, type Tenant, tenant } from '../harness/tenant.ts';
import { kindsOf } from './event-kinds.ts';

const lowVolume = { field: 'scheduleABasics.highMonthlyVolume', between: { to: 50_000 } };
const flag: RuleAction = { kind: 'flag', reason: 'Look twice.' };
const yearAgo = () => new Date(Date.now() - 365 * 86_400_000).toISOString();
const by = ({ id }: { id: number }) => ({ params: { id } });
const of = ({ id }: { id: string }) => ({ params: { applicationId: id } });

const create = ({ admin }: Tenant, rule: Partial<RuleInput> = {}) =>
  admin.ok(createRule, { body: { name: 'A rule', when: lowVolume, action: flag, ...rule } });

async function submit({ admin }: Tenant, body: ApplicationInput = filledApplication) {
  const made = await admin.ok(createApplication, { body });
  return admin.ok(submitApplication, { ...of(made), query: { reveal: false } });
}

/** Creates a rule and makes it live, with a test that confirms few applications. */
async function live(acme: Tenant, rule: Partial<RuleInput>) {
  const made = await create(acme, rule);
  await acme.admin.ok(testRule, { ...by(made), body: { from: yearAgo() } });
  return acme.admin.ok(toggleRule, { ...by(made), body: { mode: 'live', confirmFewApplications: true } });
}

describe('an underwriting rule', () => {
  test('can be created, read, listed, found by its name, changed and archived, each with its event', async () => {
    const acme = await tenant();
    const { admin } = acme;
    const rule = await create(acme, { name: 'Small shops', description: 'Low volume' });
    expect(rule).toMatchObject({ mode: 'off', priority: 100, ruleVersion: 1, version: 1, archived: false });
    expect(rule).not.toHaveProperty('writer');
    expect(await admin.ok(readRule, by(rule))).toEqual(rule);
    await create(acme, { name: 'First of all', priority: 1 });
    const { data } = await admin.ok(listRules);
    expect(data.map(({ name }) => name)).toEqual(['First of all', 'Small shops']);
    expect(await admin.ok(listRules, { query: { search: 'shops' } })).toMatchObject({ data: [rule] });
    const renamed = await admin.ok(updateRule, { ...by(rule), body: { name: 'Shops' } });
    expect(renamed).toMatchObject({ name: 'Shops', ruleVersion: 1, version: 2 });
    const changed = await admin.ok(updateRule, { ...by(rule), body: { priority: 7 } });
    expect(changed).toMatchObject({ ruleVersion: 2, version: 3 });
    const archived = await admin.ok(deleteRule, by(rule));
    expect(archived).toMatchObject({ archived: true, mode: 'off' });
    expect(await admin.ok(readRule, by(rule))).toEqual(archived);
    expect((await admin.ok(listRules)).totalCount).toBe(1);
    expect(await admin.ok(listRules, { query: { archived: true } })).toMatchObject({ data: [archived] });
    for (const refused of [
      await admin.call(updateRule, { ...by(rule), body: { name: 'Again' } }),
      await admin.call(toggleRule, { ...by(rule), body: { mode: 'shadow' } }),
      await admin.call(testRule, { ...by(rule), body: { from: yearAgo() } }),
    ])
      expect(refused.body).toMatchObject({ error: 'rule_archived' });
    expect((await kindsOf(acme)).filter((kind) => kind.startsWith('underwriting_auto'))).toEqual([
      'underwriting_auto_rule_created',
      'underwriting_auto_rule_created',
      'underwriting_auto_rule_updated',
      'underwriting_auto_rule_updated',
      'underwriting_auto_rule_updated',
    ]);
  });

  test('a faulty condition or action is rejected with the path of each fault', async () => {
    const { admin } = await tenant();
    const body = {
      name: 'Faulty',
      when: {
        all: [
          { field: 'basics.dbaTaxId', among: ['1'] },
          { any: [] },
          { field: 'basics.dbaState', between: { from: 1 } },
          { field: 'scheduleABasics.avgSaleAmount', between: { from: 9, to: 1, about: 3 } },
          { not: { yes: 'nothing.here' } },
          { filled: 'basics.dbaCity', extra: 1 },
          7,
        ],
      },
      action: {
        kind: 'request_information',
        reason: 'Why?',
        requested: [{ field: 'basics.no', message: 'x' }],
      },
    };
    const { status, body: error } = await admin.call(createRule, { body: body as unknown as RuleInput });
    expect(status).toBe(400);
    expect((error as unknown as { details: { field: string }[] }).details.map(({ field }) => field)).toEqual([
      'when.all[0].field',
      'when.all[1].any',
      'when.all[2].field',
      'when.all[3].between.about',
      'when.all[3].between',
      'when.all[4].not.yes',
      'when.all[5].extra',
      'when.all[6]',
      'action.requested[0].field',
    ]);
  });

  test('an account has at most 50 rules that are not archived', async () => {
    const acme = await tenant();
    const rules = await concurrently(50, (n) => create(acme, { name: `Rule ${n}` }));
    const body = { name: 'One more', when: lowVolume, action: flag };
    expect((await acme.admin.call(createRule, { body })).body).toMatchObject({ error: 'quota_exceeded' });
    await acme.admin.ok(deleteRule, by(rules[0] ?? expect.fail()));
    await acme.admin.ok(createRule, { body });
  });
});

describe('a rule becomes live', () => {
  test('only if its version was tested, and with few applications only with a confirmation', async () => {
    const acme = await tenant();
    const { admin } = acme;
    const rule = await create(acme);
    const toggle = (body: { mode: 'live'; confirmFewApplications?: boolean }) =>
      admin.call(toggleRule, { ...by(rule), body });
    const confirmed = { mode: 'live', confirmFewApplications: true } as const;
    expect((await toggle(confirmed)).body).toMatchObject({ error: 'rule_not_tested' });
    await admin.ok(testRule, { ...by(rule), body: { from: yearAgo() } });
    expect((await toggle({ mode: 'live' })).body).toMatchObject({ error: 'rule_not_tested' });
    expect((await toggle(confirmed)).body).toMatchObject({ mode: 'live', ruleVersion: 1 });
    expect(await admin.ok(updateRule, { ...by(rule), body: { when: { collisions: 1 } } })).toMatchObject({
      mode: 'shadow',
      ruleVersion: 2,
    });
    expect(await admin.ok(readRule, by(rule))).not.toHaveProperty('tested');
    expect((await toggle(confirmed)).body).toMatchObject({ error: 'rule_not_tested' });
    const toggled = (await storedEvents(acme.accountId)).filter(
      ({ kind }) => kind === 'underwriting_auto_rule_toggled',
    );
    expect(toggled.map(({ data }) => data)).toEqual([
      { from: 'off', to: 'live', ruleVersion: 1 },
      { from: 'live', to: 'shadow', ruleVersion: 2 },
    ]);
  });

  test('after a test against 20 decided applications without a confirmation', async () => {
    const acme = await tenant();
    const rule = await create(acme, { action: { kind: 'approve' } });
    const submitted = await concurrently(20, () => submit(acme));
    await Promise.all(
      submitted.map((application, n) =>
        acme.admin.ok(decideApplication, {
          ...of(application),
          body: n < 15 ? { decision: 'approved' } : { decision: 'rejected', reason: 'No.' },
        }),
      ),
    );
    const { result, status } = await acme.admin.ok(testRule, { ...by(rule), body: { from: yearAgo() } });
    expect(status).toBe('completed');
    expect(result).toMatchObject({
      applications: 20,
      decided: 20,
      actions: [{ action: 'approve', applications: 20, acting: 20, agree: 15, disagree: 5, undecided: 0 }],
      actedFirst: [],
    });
    expect(result?.examples).toHaveLength(20);
    expect(result?.examples[0]).toMatchObject({
      agrees: false,
      decision: 'rejected',
      facts: [{ field: 'scheduleABasics.highMonthlyVolume', value: 25_000, threshold: 50_000 }],
    });
    expect(await acme.admin.ok(toggleRule, { ...by(rule), body: { mode: 'live' } })).toMatchObject({
      mode: 'live',
      tested: { applications: 20, decided: 20 },
    });
  });

  test('only after a test against 20 different applications: one that is submitted again counts once', async () => {
    const acme = await tenant();
    const rule = await create(acme, {
      when: { isMissing: 'basics.dbaCity' },
      action: { kind: 'approve' },
    });
    const { dbaCity, ...basics } = filledApplication.basics ?? {};
    const submitted = await concurrently(10, () => submit(acme, { ...filledApplication, basics }));
    const [once, ...others] = submitted;
    await Promise.all(
      others.map((application) =>
        acme.admin.ok(decideApplication, { ...of(application), body: { decision: 'approved' } }),
      ),
    );
    const returned = once ?? expect.fail();
    const between: string[] = [];
    for (const city of ['Salem', null, 'Salem', null]) {
      await acme.admin.ok(decideApplication, {
        ...of(returned),
        body: { decision: 'info_requested', reason: 'Which city?' },
      });
      await acme.admin.ok(updateApplication, { ...of(returned), body: { basics: { dbaCity: city } } });
      between.push(new Date().toISOString());
      await acme.admin.ok(submitApplication, { ...of(returned), query: { reveal: false } });
    }
    const testTo = async (to?: string) =>
      (await acme.admin.ok(testRule, { ...by(rule), body: { from: yearAgo(), to } })).result;
    expect(await testTo()).toMatchObject({
      applications: 10,
      decided: 10,
      actions: [{ applications: 10, agree: 9, disagree: 0, undecided: 1, unknown: 0 }],
    });
    await acme.admin.ok(decideApplication, {
      ...of(returned),
      body: { decision: 'rejected', reason: 'No city.' },
    });
    const all = await testTo();
    expect(all).toMatchObject({
      applications: 10,
      decided: 10,
      actions: [{ applications: 10, agree: 9, disagree: 1 }],
    });
    expect(all?.examples[0]).toMatchObject({ applicationId: returned.id, decision: 'rejected' });
    const first = await testTo(between[0]);
    expect(first).toMatchObject({ applications: 10, actions: [{ agree: 9, disagree: 1 }] });
    expect(first?.examples[0]).toMatchObject({ applicationId: returned.id, decision: 'info_requested' });
    expect((await acme.admin.ok(readRule, by(rule))).tested).toMatchObject({ applications: 10, decided: 10 });
    expect(await acme.admin.call(toggleRule, { ...by(rule), body: { mode: 'live' } })).toMatchObject({
      body: { error: 'rule_not_tested' },
    });
  });

  test('only by an administrator who did not write the version, if the account has rulesNeedTwoPeople', async () => {
    const acme = await tenant();
    await acme.admin.ok(updateAccount, {
      params: { id: acme.accountId },
      body: { rulesNeedTwoPeople: true },
    });
    const rule = await create(acme);
    await acme.admin.ok(testRule, { ...by(rule), body: { from: yearAgo() } });
    const body = { mode: 'live', confirmFewApplications: true } as const;
    for (const caller of [acme.admin, acme.key])
      expect(await caller.call(toggleRule, { ...by(rule), body })).toMatchObject({
        status: 403,
        body: { error: 'rule_needs_second_person' },
      });
    const { user, client } = await member(acme);
    await acme.admin.ok(updateUser, { params: { email: user.email }, body: { accountAdmin: true } });
    expect(await client.ok(toggleRule, { ...by(rule), body })).toMatchObject({ mode: 'live' });
  });

  test('not by the administrator who created the API key that wrote the version', async () => {
    const acme = await tenant();
    const params = { id: acme.accountId };
    await acme.admin.ok(updateAccount, { params, body: { rulesNeedTwoPeople: true } });
    const { user, client: other } = await member(acme);
    await acme.admin.ok(updateUser, { params: { email: user.email }, body: { accountAdmin: true } });
    const written = { name: 'A rule', when: lowVolume, action: flag };
    const rule = await acme.key.ok(createRule, { body: written });
    await acme.admin.ok(testRule, { ...by(rule), body: { from: yearAgo() } });
    const body = { mode: 'live', confirmFewApplications: true } as const;
    expect(await acme.admin.call(toggleRule, { ...by(rule), body })).toMatchObject({
      status: 403,
      body: { error: 'rule_needs_second_person' },
    });
    expect(await other.ok(toggleRule, { ...by(rule), body })).toMatchObject({ mode: 'live' });
  });

  test('two administrators are needed to switch rulesNeedTwoPeople off', async () => {
    const acme = await tenant();
    const params = { id: acme.accountId };
    const set = (by: Client, rulesNeedTwoPeople: boolean) =>
      by.ok(updateAccount, { params, body: { rulesNeedTwoPeople } });
    const { user, client: other } = await member(acme);
    await acme.admin.ok(updateUser, { params: { email: user.email }, body: { accountAdmin: true } });
    await set(acme.admin, true);
    for (let n = 0; n < 2; n++)
      expect(await set(acme.admin, false)).toMatchObject({
        rulesNeedTwoPeople: true,
        rulesNeedTwoPeopleEndRequestedBy: acme.adminEmail,
      });
    expect(await set(other, true)).not.toHaveProperty('rulesNeedTwoPeopleEndRequestedBy');
    expect(await set(other, false)).toMatchObject({ rulesNeedTwoPeople: true });
    const ended = await set(acme.admin, false);
    expect(ended.rulesNeedTwoPeople).toBe(false);
    expect(ended).not.toHaveProperty('rulesNeedTwoPeopleEndRequestedBy');
  });
});

describe('a submission', () => {
  test('a live rule approves in the same request, with the merchant and the events of a decision', async () => {
    const acme = await tenant();
    const rule = await live(acme, { action: { kind: 'approve', reason: 'Low volume' } });
    const before = (await storedEvents(acme.accountId)).length;
    const submitted = await submit(acme);
    const actor = `rule:${rule.id}@1`;
    expect(submitted).toMatchObject({
      version: 2,
      system: { appStatus: 'approved', appAcceptedBool: 'true' },
      admin: {
        merchantId: expect.any(Number),
        decision: { decision: 'approved', decidedBy: actor, reason: 'Low volume' },
        rules: [
          {
            ruleId: rule.id,
            version: 1,
            mode: 'live',
            applied: true,
            acted: true,
            facts: [{ field: 'scheduleABasics.highMonthlyVolume', value: 25_000 }],
          },
        ],
      },
    });
    const events = (await storedEvents(acme.accountId)).slice(before);
    expect(events.map(({ kind, actor: by }) => [kind, (by as { user: string }).user])).toEqual([
      ['application_created', acme.adminEmail],
      ['application_submitted', acme.adminEmail],
      ['underwriting_decision_made', actor],
      ['merchant_created', actor],
    ]);
    const versions = events.map(({ subject }) => (subject as { version: number }).version);
    expect(versions).toEqual([1, 2, 2, 1]);
    const read = await acme.admin.ok(readApplication, { ...of(submitted), query: { reveal: false } });
    expect(read.admin).toEqual(submitted.admin);
  });

  test('the first live rule by priority acts, and shadow rules only record what they would do', async () => {
    const acme = await tenant();
    const shadow = await create(acme, { priority: 1, action: { kind: 'approve' }, name: 'Shadow' });
    await acme.admin.ok(toggleRule, { ...by(shadow), body: { mode: 'shadow' } });
    await create(acme, { priority: 2, name: 'Off' });
    const second = await live(acme, { priority: 9, name: 'Second' });
    const first = await live(acme, {
      priority: 5,
      name: 'First',
      action: { kind: 'assign', priority: 'high' },
    });
    const submitted = await submit(acme);
    expect(submitted.system.appStatus).toBe('submitted');
    expect(submitted.admin).toMatchObject({ priority: 'high' });
    expect(submitted.admin?.rules?.map(({ ruleId, applied, acted }) => [ruleId, applied, acted])).toEqual([
      [shadow.id, true, false],
      [first.id, true, true],
      [second.id, true, false],
    ]);
    expect(submitted.admin).not.toHaveProperty('flags');
    const tested = await acme.admin.ok(testRule, { ...by(second), body: { from: yearAgo() } });
    expect(tested.result).toMatchObject({
      actions: [{ action: 'flag', applications: 1, acting: 0, undecided: 1 }],
      actedFirst: [{ ruleId: first.id, name: 'First', version: 1, applications: 1 }],
    });
  });

  test('a live rule requests information once, and the application is pending with the requests', async () => {
    const acme = await tenant();
    const rule = await live(acme, {
      action: {
        kind: 'request_information',
        reason: 'Identity',
        requested: [
          { field: 'basics.dbaName', message: 'Which name?' },
          { documentKey: 'driver-license', message: 'Both sides.' },
        ],
      },
    });
    const returned = await submit(acme);
    expect(returned.system).toMatchObject({ appStatus: 'pending', submitted: false });
    expect(returned.admin?.infoRequested).toEqual([
      { field: 'basics.dbaName', message: 'Which name?' },
      { documentKey: 'driver-license_ada', message: 'Both sides.' },
    ]);
    const again = await acme.admin.ok(submitApplication, { ...of(returned), query: { reveal: false } });
    expect(again.system.appStatus).toBe('submitted');
    expect(again.admin?.rules).toMatchObject([
      { ruleId: rule.id, applied: true, acted: false, problem: 'has already requested information' },
    ]);
  });

  test('a live rule flags with a reason for the underwriter, and the next submission removes the flag', async () => {
    const acme = await tenant();
    const rule = await live(acme, { action: flag });
    const flagged = await submit(acme);
    expect(flagged.admin?.flags).toEqual([{ ruleId: rule.id, version: 1, reason: 'Look twice.' }]);
    await acme.admin.ok(decideApplication, {
      ...of(flagged),
      body: { decision: 'info_requested', reason: 'Volume?' },
    });
    await acme.admin.ok(updateApplication, {
      ...of(flagged),
      body: { scheduleABasics: { highMonthlyVolume: 90_000 } },
    });
    const again = await acme.admin.ok(submitApplication, { ...of(flagged), query: { reveal: false } });
    expect(again.admin).not.toHaveProperty('flags');
    expect(again.admin?.rules).toMatchObject([{ applied: false, acted: false }]);
  });

  test('succeeds and records the problem if the underwriter of the acting rule is not active', async () => {
    const acme = await tenant();
    const { user: grace } = await member(acme, ['writeUnderwriting']);
    await live(acme, { action: { kind: 'assign', assignedTo: grace.email } });
    expect((await submit(acme)).admin).toMatchObject({
      assignedTo: String(grace.id),
      rules: [{ acted: true }],
    });
    await acme.admin.ok(updateUser, { params: { email: grace.email }, body: { active: false } });
    const submitted = await submit(acme);
    expect(submitted.system.appStatus).toBe('submitted');
    expect(submitted.admin).not.toHaveProperty('assignedTo');
    expect(submitted.admin?.rules).toMatchObject([
      { applied: true, acted: false, problem: 'assignedTo is not an active user of this account' },
    ]);
  });

  test('a rule that is switched off during the submission does not act', async () => {
    const acme = await tenant();
    const rule = await live(acme, { action: { kind: 'approve' } });
    const made = await acme.admin.ok(createApplication, { body: filledApplication });
    beforeNextTransaction(() => acme.admin.ok(toggleRule, { ...by(rule), body: { mode: 'off' } }));
    const submitted = await acme.admin.ok(submitApplication, { ...of(made), query: { reveal: false } });
    expect(submitted.system.appStatus).toBe('submitted');
    expect(submitted.admin).not.toHaveProperty('rules');
    expect(await kindsOf(acme)).not.toContain('merchant_created');
  });

  test('concurrent submissions that one rule approves all succeed, each with its merchant', async () => {
    const acme = await tenant();
    await live(acme, { action: { kind: 'approve' } });
    const submitted = await concurrently(12, () => submit(acme));
    expect(new Set(submitted.map(({ admin }) => admin?.merchantId)).size).toBe(12);
    for (const { system } of submitted) expect(system.appStatus).toBe('approved');
  });

  test('a dry run of a submission that a rule approves changes nothing', async () => {
    const acme = await tenant();
    await live(acme, { action: { kind: 'approve' } });
    const made = await acme.admin.ok(createApplication, { body: filledApplication });
    await expectTrueDryRun(submitApplication, acme, { ...of(made), query: { reveal: false } });
  });

  test('an applicant sees the status, and neither the rules nor their flags', async () => {
    const acme = await tenant();
    const rule = await live(acme, { action: { kind: 'approve', reason: 'Secretly fine' } });
    const made = await acme.admin.ok(createApplication, { body: filledApplication });
    const ada = applicant({ appKey: made.system.appKey, acctId: acme.accountId });
    const submitted = await ada.ok(submitApplication, of(made));
    expect(submitted.system.appStatus).toBe('approved');
    expect(submitted).not.toHaveProperty('admin');
    expect(JSON.stringify(submitted)).not.toMatch(new RegExp(`rule|Secretly|${rule.id}|merchantId`));
  });

  test('the results of rules are shown only to callers who may read applications and merchants', async () => {
    const acme = await tenant();
    await live(acme, { action: flag });
    const submitted = await submit(acme);
    const { client: reader } = await member(acme, ['readApplications']);
    const shown = await reader.ok(readApplication, { ...of(submitted), query: { reveal: false } });
    expect(shown.admin).not.toHaveProperty('rules');
    expect(shown.admin).toHaveProperty('flags');
  });
});

describe('a rule with an unknown condition', () => {
  test('does not approve an application without a volume, and the next rule acts', async () => {
    const acme = await tenant();
    const large = { field: 'scheduleABasics.highMonthlyVolume', between: { from: 30_000 } };
    const approve = await live(acme, { priority: 1, when: { not: large }, action: { kind: 'approve' } });
    const missing = await live(acme, {
      priority: 2,
      when: { isMissing: 'scheduleABasics.highMonthlyVolume' },
      action: flag,
    });
    const { highMonthlyVolume, ...scheduleABasics } = filledApplication.scheduleABasics ?? {};
    const submitted = await submit(acme, { ...filledApplication, scheduleABasics });
    expect(submitted.system.appStatus).toBe('submitted');
    expect(submitted.admin?.rules).toMatchObject([
      { ruleId: approve.id, applied: false, unknown: true, acted: false },
      { ruleId: missing.id, applied: true, acted: true },
    ]);
    expect(submitted.admin?.rules?.[0]?.facts).toEqual([{ field: 'scheduleABasics.highMonthlyVolume' }]);
    const { result } = await acme.admin.ok(testRule, { ...by(approve), body: { from: yearAgo() } });
    expect(result).toMatchObject({ applications: 1, actions: [{ applications: 0, unknown: 1 }] });
    expect((await submit(acme)).system.appStatus).toBe('approved');
  });
});

describe('stored submissions', () => {
  test('contain no sensitive value and no keyed hash, and are deleted with the application', async () => {
    const acme = await tenant();
    const submitted = await submit(acme);
    const itemsOf = async () =>
      (await scanTable()).filter(
        (item) => String(item.type).startsWith('submission') && String(item.pk).includes(submitted.id),
      );
    const stored = await itemsOf();
    expect(stored).toHaveLength(2);
    const text = JSON.stringify(stored);
    for (const canary of Object.values(canaries)) expect(text).not.toContain(canary);
    expect(text).not.toMatch(/jwe|last4/);
    await acme.admin.ok(decideApplication, {
      ...of(submitted),
      body: { decision: 'rejected', reason: 'No.' },
    });
    await acme.admin.ok(deleteApplication, of(submitted));
    await drain();
    expect(await itemsOf()).toEqual([]);
  });

  test('are in the export of the account with the rules, without sensitive values', async () => {
    const acme = await tenant();
    await live(acme, { action: flag });
    await submit(acme);
    let text = '';
    for await (const line of exportAccount(asAccountId(acme.accountId) ?? expect.fail())) text += line;
    for (const kind of ['underwriting_rule', 'submission', 'submission_outcome'])
      expect(text).toContain(`{"kind":"${kind}"`);
    for (const canary of Object.values(canaries)) expect(text).not.toContain(canary);
    expect(text).not.toContain('"writer"');
  });

  test('a test evaluates the submission, not the present application', async () => {
    const acme = await tenant();
    const submitted = await submit(acme);
    await acme.admin.ok(decideApplication, {
      ...of(submitted),
      body: { decision: 'info_requested', reason: 'Volume?' },
    });
    await acme.admin.ok(updateApplication, {
      ...of(submitted),
      body: { scheduleABasics: { highMonthlyVolume: 900_000 } },
    });
    const rule = {
      when: lowVolume,
      action: {
        kind: 'request_information' as const,
        reason: 'x',
        requested: [{ field: 'basics', message: 'x' }],
      },
    };
    const { result } = await acme.admin.ok(testUnsaved, { body: { rule, from: yearAgo() } });
    expect(result).toMatchObject({
      decided: 1,
      actions: [{ applications: 1, agree: 1, disagree: 0, medianHours: 0 }],
    });
  });

  test('an unsaved rule that assigns by email agrees with a decision of the same underwriter', async () => {
    const acme = await tenant();
    const { user: grace } = await member(acme, ['writeUnderwriting']);
    const submitted = await submit(acme);
    const assigned = { ...of(submitted), body: { assignedTo: grace.email } };
    await acme.admin.ok(updateUnderwriting, assigned);
    await acme.admin.ok(decideApplication, { ...of(submitted), body: { decision: 'approved' } });
    const compared = async (action: RuleAction) => {
      const body = { rule: { when: lowVolume, action }, from: yearAgo() };
      return (await acme.admin.ok(testUnsaved, { body })).result?.actions[0];
    };
    expect(await compared({ kind: 'assign', assignedTo: grace.email })).toMatchObject({ agree: 1 });
    expect(await compared({ kind: 'assign', priority: 'low' })).toMatchObject({ agree: 0, disagree: 1 });
  });

  test('the report counts for each version how often a rule applied, acted and was overruled', async () => {
    const acme = await tenant();
    const rule = await live(acme, { action: flag });
    const submitted = await submit(acme);
    await acme.admin.ok(decideApplication, { ...of(submitted), body: { decision: 'approved' } });
    await submit(acme);
    await submit(acme, { ...filledApplication, scheduleABasics: { highMonthlyVolume: 90_000 } });
    const query = { from: yearAgo() };
    expect(await acme.admin.ok(reportRules, { query })).toMatchObject({
      submissions: 3,
      data: [{ ruleId: rule.id, name: 'A rule', version: 1, shadow: 0, applied: 2, acted: 2, overruled: 1 }],
    });
  });

  test('a caller needs readApplications and readMerchants to test rules', async () => {
    const acme = await tenant();
    const rule = await create(acme);
    const { client: writer } = await member(acme, ['readUnderwritingRules', 'writeUnderwritingRules']);
    const body = { from: yearAgo() };
    expect((await writer.call(testRule, { ...by(rule), body })).status).toBe(403);
    expect((await writer.call(reportRules, { query: body })).status).toBe(403);
  });

  test('a period must not be empty or longer than 731 days', async () => {
    const acme = await tenant();
    const rule = await create(acme);
    for (const body of [
      { from: '2999-01-01T00:00:00Z' },
      { from: '2026-02-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
      { from: '2020-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
    ])
      expect((await acme.admin.call(testRule, { ...by(rule), body })).status).toBe(400);
  });
});
