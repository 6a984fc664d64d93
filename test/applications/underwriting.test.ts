import { describe, expect, test } from 'vitest';
import assessRisk from '../../functions/applications/assess-risk.ts';
import createApplication from '../../functions/applications/create-application.ts';
import createNote from '../../functions/applications/create-application-note.ts';
import deleteApplication from '../../functions/applications/delete-application.ts';
import listNotes from '../../functions/applications/list-application-notes.ts';
import listApplications from '../../functions/applications/list-applications.ts';
import readApplication from '../../functions/applications/read-application.ts';
import readReadiness from '../../functions/applications/read-readiness.ts';
import updateUnderwriting from '../../functions/applications/update-underwriting.ts';
import { applicant } from '../harness/applicant.ts';
import { drain } from '../harness/drain.ts';
import { filledApplication } from '../harness/filled-application.ts';
import { member } from '../harness/member.ts';
import { eventsAbout, storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();
const { admin } = acme;
const underwriter = await member(acme, ['writeUnderwriting', 'readApplications', 'readMerchants']);
const create = (body: object = filledApplication) => admin.ok(createApplication, { body });
const by = ({ id }: { id: string }) => ({ params: { applicationId: id } });
const hidden = { query: { reveal: false } };
const eventsOf = async ({ id }: { id: string }) =>
  (await eventsAbout(acme.accountId, id))
    .filter(({ kind }) => kind !== 'application_created')
    .map(({ kind, data }) => [kind, data]);

describe('underwriting', () => {
  test('underwriting is assigned by email or id, has a priority, and emits an event for each change', async () => {
    const application = await create();
    const { id, email } = underwriter.user;
    const change = (body: object) => admin.ok(updateUnderwriting, { ...by(application), body });
    const assigned = await change({ assignedTo: email, priority: 'urgent' });
    expect(assigned.admin).toEqual({ assignedTo: String(id), priority: 'urgent' });
    expect((await change({ assignedTo: String(id), priority: 'urgent' })).version).toBe(2);
    expect((await change({ priority: 'low' })).admin).toEqual({ assignedTo: String(id), priority: 'low' });
    expect((await change({ assignedTo: null, priority: null })).admin).toEqual({});
    expect(await eventsOf(application)).toEqual([
      ['underwriting_application_assigned', { to: String(id) }],
      ['underwriting_application_priority_changed', { to: 'urgent' }],
      ['underwriting_application_priority_changed', { from: 'urgent', to: 'low' }],
      ['underwriting_application_assigned', { from: String(id) }],
      ['underwriting_application_priority_changed', { from: 'low' }],
    ]);
    await change({ assignedTo: email });
    const { data } = await admin.ok(listApplications, { query: { assignedTo: [String(id)] } });
    expect(data.map((one) => one.id)).toEqual([application.id]);
    const unknown = await admin.call(updateUnderwriting, {
      ...by(application),
      body: { assignedTo: 'nobody@example.com' },
    });
    expect([unknown.status, unknown.body.error]).toEqual([400, 'user_unknown']);
  });

  test('underwriting notes are listed newest first, and their content is in no event and no audit entry', async () => {
    const application = await create();
    const content = 'The owner’s brother was terminated in 2019.';
    const first = await underwriter.client.ok(createNote, { ...by(application), body: { content } });
    expect(first).toMatchObject({
      applicationId: application.id,
      content,
      createdBy: underwriter.user.email,
    });
    const second = await underwriter.client.ok(createNote, {
      ...by(application),
      body: { content: 'Fine.' },
    });
    const { data, totalCount } = await underwriter.client.ok(listNotes, by(application));
    expect([data, totalCount]).toEqual([[second, first], 2]);
    expect((await admin.ok(listNotes, { ...by(application), query: { search: 'BROTHER' } })).data).toEqual([
      first,
    ]);
    expect(await eventsOf(application)).toEqual([
      ['underwriting_note_added', { noteId: first.id }],
      ['underwriting_note_added', { noteId: second.id }],
    ]);
    await drain();
    const { auditLog } = await admin.ok(readApplication, { ...by(application), ...hidden });
    expect(auditLog?.map(({ event }) => event)).toContain('underwriting_note_added');
    expect(JSON.stringify([auditLog, await storedEvents(acme.accountId)])).not.toContain('brother');
    for (const of of [{ id: 'app_NOBODYS' }, await admin.ok(deleteApplication, by(application))]) {
      expect((await admin.call(listNotes, by(of))).status).toBe(404);
      expect((await admin.call(createNote, { ...by(of), body: { content } })).status).toBe(404);
    }
  });

  test('underwriting assesses the same risk for the same form, and returns the facts', async () => {
    const risky = {
      ...filledApplication,
      businessHistory: { cardAcceptTerminationBool: true },
      businessOwners: [{ name: 'Grace Hopper' }],
      businessBanking: {},
      basics: { dbaName: 'Harbor' },
    };
    const application = await create(risky);
    const assess = () => underwriter.client.ok(assessRisk, by(application));
    const { assessedAt, assessedBy, ...risk } = await assess();
    expect(assessedBy).toBe(underwriter.user.email);
    expect(risk.factors).toContainEqual({
      rule: 'card_termination',
      points: 30,
      fact: 'businessHistory.cardAcceptTerminationBool is true',
    });
    const again = await assess();
    expect(again).toMatchObject(risk);
    const shown = await admin.ok(readApplication, { ...by(application), ...hidden });
    expect(shown.admin?.risk).toEqual(again);
    const { score, level } = risk;
    expect(await eventsOf(application)).toEqual([
      ['underwriting_risk_assessment_generated', { score, level }],
      ['underwriting_risk_assessment_generated', { score, level }],
    ]);
  });

  test('underwriters and the merchant can read the steps that are left, and the merchant sees no threshold', async () => {
    const application = await create({ scheduleABasics: { highMonthlyVolume: 120_000 } });
    const forStaff = await admin.ok(readReadiness, by(application));
    expect(forStaff.next[0]).toMatchObject({ kind: 'field', field: 'basics.dbaName', rule: 'business' });
    expect(JSON.stringify(forStaff)).toContain('"threshold":100000');
    const merchant = applicant({ appKey: application.system.appKey, acctId: acme.accountId });
    const forMerchant = await merchant.ok(readReadiness, by(application));
    expect(forMerchant.next.map(({ rule }) => rule)).toEqual(forStaff.next.map(({ rule }) => rule));
    expect(JSON.stringify(forMerchant)).not.toContain('threshold');
  });
});
