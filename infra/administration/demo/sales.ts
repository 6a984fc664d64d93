import { uploadFile } from '../upload-file.ts';
import { at, type DemoCompany, readAll } from './company.ts';
import type { ApplicationPlan, LeadPlan, MerchantPlan } from './plan.ts';
import type { Staff } from './staff.ts';

interface KnownLead {
  id: number;
  email?: string;
  applicationId?: string;
  qualification?: string;
  archived: boolean;
}

/** Creates the leads and their applications. Returns for each lead the id of its application, if it has one. */
export async function createLeads(company: DemoCompany, staff: Staff): Promise<(string | undefined)[]> {
  const { plan } = company;
  const known = new Map((await readAll<KnownLead>(company, '/leads')).map((lead) => [lead.email, lead]));
  const applications: (string | undefined)[] = [];
  await company.each('leads and applications', plan.leads, async (lead, n) => {
    const found = known.get(lead.fields.email);
    applications[n] = await createLead(company, staff, lead, found);
  });
  return applications;
}

async function createLead(
  { send }: DemoCompany,
  staff: Staff,
  { fields, team, source, assignee, outcome }: LeadPlan,
  known: KnownLead | undefined,
): Promise<string | undefined> {
  const body = {
    ...fields,
    teamId: at(staff.teams, team),
    leadSourceId: at(staff.sources, source),
    assignedTo: at(staff.users, assignee),
  };
  const lead = known ?? (await send<KnownLead>('POST', '/leads', body));
  const path = `/leads/${lead.id}`;
  if (typeof outcome === 'object') {
    const converting = send<{ application: { id: string } }>;
    const id = lead.applicationId ?? (await converting('POST', `${path}/convert`)).application.id;
    await createApplication(send, staff, `/applications/${id}`, outcome.application);
    return id;
  }
  if (outcome === 'archived' && !lead.archived) await send('POST', `${path}/archive`);
  const [action, reason] =
    outcome === 'qualified'
      ? ['qualify', 'Wants to switch this year.']
      : ['disqualify', 'Asked for a call next year.'];
  if ((outcome === 'qualified' || outcome === 'disqualified') && lead.qualification !== outcome)
    await send('POST', `${path}/${action}`, { reason });
  return undefined;
}

interface KnownApplication {
  system: { appStatus: string };
  admin?: { decision?: { decision: string }; priority?: string; assignedTo?: string };
}

/** Completes an application. Skips the steps that an earlier run has already done. */
async function createApplication(
  send: DemoCompany['send'],
  staff: Staff,
  path: string,
  { outcome, form, documents, underwriter, priority, note }: ApplicationPlan,
): Promise<void> {
  const { system, admin } = await send<KnownApplication>('GET', `${path}?reveal=false`);
  const isDone =
    admin?.decision?.decision === 'info_requested' || ['approved', 'rejected'].includes(system.appStatus);
  if (isDone) return;
  if (system.appStatus === 'pending') {
    // `reveal=false` omits sensitive values from the response. Otherwise, each request would add an event
    // about the disclosure.
    await send('PATCH', `${path}?reveal=false`, form);
    if (documents) await uploadMissing(send, path);
    if (outcome === 'draft' || outcome === 'complete') return;
    await send('POST', `${path}/submit?reveal=false`);
  }
  const assignedTo = at(staff.users, underwriter);
  if (admin?.assignedTo !== assignedTo || admin.priority !== priority)
    await send('PATCH', `${path}/underwriting`, { assignedTo, priority });
  const { totalCount } = await send<{ totalCount: number }>('GET', `${path}/notes?pageSize=1`);
  if (totalCount === 0) {
    await send('POST', `${path}/notes`, { content: note });
    await send('POST', `${path}/risk-assessment`);
  }
  const decision = decisions[outcome];
  if (decision) await send('POST', `${path}/decision`, decision);
}

/** The decision of each outcome. Applications with other outcomes are not decided. */
const decisions: Partial<Record<ApplicationPlan['outcome'], object>> = {
  approved: { decision: 'approved' },
  rejected: { decision: 'rejected', reason: 'The volume does not fit the business.' },
  info_requested: {
    decision: 'info_requested',
    reason: 'Please check the bank.',
    requested: [{ field: 'businessBanking.bankRouting', message: 'Please check the routing number.' }],
  },
};

interface KnownDocument {
  id: string;
  uploadedDate?: string;
}

/** Deletes the documents whose upload an earlier run did not complete. Returns the number of remaining documents. */
async function countUploaded(send: DemoCompany['send'], path: string): Promise<number> {
  const { data } = await send<{ data: KnownDocument[] }>('GET', `${path}/documents?pageSize=100`);
  const incomplete = data.filter(({ uploadedDate }) => uploadedDate === undefined);
  for (const { id } of incomplete) await send('DELETE', `${path}/documents/${id}`);
  return data.length - incomplete.length;
}

async function uploadMissing(send: DemoCompany['send'], path: string): Promise<void> {
  await countUploaded(send, path);
  const { next } = await send<{ next: { documentKey?: string }[] }>('GET', `${path}/readiness`);
  for (const { documentKey } of next)
    if (documentKey !== undefined) await uploadFile(postBelow(send, path), { documentKey });
}

const postBelow =
  (send: DemoCompany['send'], parent: string) =>
  <T>(_: string, path: string, body?: object) =>
    send<T>('POST', `${parent}${path}`, body);

interface KnownMerchant {
  id: number;
  agentAccountId?: string;
}

/** Creates the merchants, or completes the merchants of approved applications. Returns their ids. */
export async function createMerchants(
  company: DemoCompany,
  applications: readonly (string | undefined)[],
): Promise<number[]> {
  const { plan, send } = company;
  const known = new Map(
    (await readAll<KnownMerchant>(company, '/merchants')).map(({ agentAccountId, id }) => [
      agentAccountId,
      id,
    ]),
  );
  const ids: number[] = [];
  await company.each('merchants', plan.merchants, async (merchant, n) => {
    const found = known.get(merchant.fields.agentAccountId);
    ids[n] = found ?? (await createMerchant(send, merchant, applications));
    await addChildren(send, `/merchants/${ids[n]}`, merchant, found === undefined);
  });
  return ids;
}

async function createMerchant(
  send: DemoCompany['send'],
  { lead, fields }: MerchantPlan,
  applications: readonly (string | undefined)[],
): Promise<number> {
  if (lead === undefined) return Number((await send('POST', '/merchants', fields)).id);
  type Decided = { admin?: { merchantId?: number } };
  const { admin } = await send<Decided>('GET', `/applications/${applications[lead]}?reveal=false`);
  if (admin?.merchantId === undefined)
    throw new Error(`The application ${applications[lead]} has no merchant.`);
  await send('PUT', `/merchants/${admin.merchantId}`, fields);
  return admin.merchantId;
}

/** Adds the children that are missing. An earlier run may have stopped between two children. */
async function addChildren(
  send: DemoCompany['send'],
  path: string,
  { mids, equipment, notes, documents }: MerchantPlan,
  isNew: boolean,
): Promise<void> {
  type Children = { equipment: unknown[]; notes: unknown[] };
  const known = isNew ? { equipment: [], notes: [] } : await send<Children>('GET', path);
  const knownMids = isNew ? 0 : (await send<{ totalCount: number }>('GET', `${path}/mids`)).totalCount;
  for (const mid of mids.slice(knownMids)) await send('POST', `${path}/mids`, mid);
  for (const piece of equipment.slice(known.equipment.length)) await send('POST', `${path}/equipment`, piece);
  for (const note of notes.slice(known.notes.length)) await send('POST', `${path}/notes`, note);
  const uploaded = isNew ? 0 : await countUploaded(send, path);
  for (let n = uploaded; n < documents; n += 1) await uploadFile(postBelow(send, path), { type: 'other' });
}
