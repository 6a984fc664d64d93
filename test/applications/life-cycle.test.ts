import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../shared/errors.ts';
import {
  approveApplication,
  decideApplication,
} from '../../shared/sales/applications/decision/decide-application.ts';
import { appStatuses, type RiskAssessment } from '../../shared/sales/applications/record/schema.ts';
import type { StoredApplication } from '../../shared/sales/applications/record/stored-application.ts';
import { showToApplicant, showToStaff } from '../../shared/sales/applications/show-application.ts';
import {
  largestApplicationSummary,
  summarizeApplication,
} from '../../shared/sales/applications/summarize-application.ts';
import { submitApplication } from '../../shared/sales/applications/underwriting/submit-application.ts';
import type { DecisionInput } from '../../shared/sales/applications/underwriting/underwriting-schema.ts';
import { authoredBy } from '../../shared/table/revise.ts';
import { application } from './decided-application.ts';
import { knownKeys } from './known-keys.ts';

describe('an application', () => {
  test('is shown to staff with its state and the decrypted values; other sensitive values are redacted', () => {
    const shown = showToStaff(application, {
      values: new Map([['businessOwners[ada].dateOfBirth', '1985-12-10']]),
      appKey: 'mo_ak_x',
    });
    expect(shown).toMatchObject({
      repcode: 'R-secret',
      basics: { dbaName: 'Harbor', dbaTaxId: 'REDACTED' },
      businessBanking: { bankAccount: 'REDACTED' },
      businessDetails: {},
      businessOwners: [
        {
          id: 1,
          uniqueId: 'ada',
          socialSecurityNumber: 'REDACTED',
          driversLicenseNumber: 'REDACTED',
          dateOfBirth: '1985-12-10',
        },
      ],
      admin: { leadId: 5, assignedTo: '77' },
    });
    expect(shown.system).toEqual({
      appKey: 'mo_ak_x',
      appStatus: 'approved',
      submitted: true,
      submittedBy: 'submitted@staff.test',
      submittedDate: '2026-03-03T09:00:00.000Z',
      appFlags: 'flag of the staff',
      applicationLog: 'log of the staff',
      appCreatedDate: '2026-03-01T09:00:00.000Z',
      appUpdatedDate: '2026-03-02T09:00:00.000Z',
      appCompletedByMerchantBool: 'true',
      appCompletedByMerchantDate: '2026-03-02T12:00:00.000Z',
      appSubmittedBool: 'true',
      appSubmittedDate: '2026-03-03T09:00:00.000Z',
      merchantSignedDate: '2026-03-02T10:00:00.000Z',
      appAcceptedBool: 'true',
      appAcceptedDate: '2026-03-04T09:00:00.000Z',
      agentCode: 'R-secret',
      documentId: '123',
    });
    expect(JSON.stringify(shown)).not.toMatch(/encrypted|blind|listId/);
  });

  test('contains the date of a step in `system` only after the step, and the agent code only if it is set', () => {
    const { submittedBy, submittedAt, decidedAt, completedAt, signed, repcode, ...initial } = application;
    const { system } = showToStaff({ ...initial, status: 'pending' });
    expect(system).toMatchObject({
      appStatus: 'pending',
      submitted: false,
      appCompletedByMerchantBool: 'false',
      appSubmittedBool: 'false',
      appAcceptedBool: 'false',
    });
    for (const date of [
      'submittedDate',
      'appSubmittedDate',
      'appAcceptedDate',
      'merchantSignedDate',
      'agentCode',
    ])
      expect(system[date as 'submittedDate']).toBeUndefined();
    expect(showToStaff({ ...application, status: 'rejected' }).system.appAcceptedDate).toBeUndefined();
  });

  test('is shown to applicants with the form, the status and the requests, but without internal data', () => {
    const shown = JSON.parse(JSON.stringify(showToApplicant(application)));
    expect(shown).toMatchObject({
      version: 7,
      system: { appStatus: 'approved', submitted: true },
      basics: { dbaName: 'Harbor', dbaTaxId: 'REDACTED' },
      infoRequested: [{ field: 'basics.dbaName', message: 'Which one?' }],
    });
    expect(JSON.stringify(shown)).not.toMatch(
      /staff|R-secret|encrypted|blind|"77"|leadId|appKey|auditLog|createdBy/,
    );
  });
});

test('a summary always has at most 2.5 KB, is flat and contains no sensitive value', () => {
  const textOf = (length: number) =>
    fc.constantFrom('a', '€', '🏦', '"', '\u0001').map((character) => character.repeat(length));
  fc.assert(
    fc.property(textOf(254), textOf(200), (long, name) => {
      const summary = summarizeApplication({
        ...application,
        id: 'x'.repeat(64),
        repcode: name,
        createdBy: long,
        basics: {
          ...application.basics,
          dbaName: name,
          dbaContact: name,
          dbaEmail: long,
          dbaPhone: long,
          dbaCity: name,
          dbaState: name,
        },
        businessDetails: { mccNumber: Number.MAX_SAFE_INTEGER },
        scheduleABasics: { highMonthlyVolume: Number.MAX_SAFE_INTEGER },
        businessOwners: Array.from({ length: 25 }, (_, id) => ({ id, uniqueId: `o${id}`, name })),
        admin: {
          leadId: Number.MAX_SAFE_INTEGER,
          merchantId: Number.MAX_SAFE_INTEGER,
          assignedTo: String(Number.MAX_SAFE_INTEGER),
          priority: 'urgent',
          externalKeyId: Number.MAX_SAFE_INTEGER,
          externalId: 'x'.repeat(128),
        },
        ownerId: String(Number.MAX_SAFE_INTEGER),
        teamId: Number.MAX_SAFE_INTEGER,
        participants: Array<string>(10).fill(String(Number.MAX_SAFE_INTEGER)),
      });
      const json = JSON.stringify(summary);
      expect(Buffer.byteLength(json)).toBeLessThanOrEqual(largestApplicationSummary);
      expect(json).not.toMatch(/encrypted|blind/);
      expect(json).not.toMatch(/\p{Surrogate}/u);
      const { participants, ...flat } = summary;
      expect(participants).toHaveLength(10);
      for (const value of Object.values(flat)) expect(typeof value).not.toBe('object');
    }),
  );
  expect(summarizeApplication(application)).toMatchObject({
    dbaName: 'Harbor',
    ownerNames: 'Ada',
    status: 'approved',
  });
});

const { decidedAt, ...rest } = application;
const submitted: StoredApplication = { ...rest, status: 'submitted', admin: { priority: 'high' } };
const request = authoredBy('grace@example.com', new Date('2026-03-05T09:00:00.000Z'));
const decide = (body: DecisionInput, application = submitted) =>
  decideApplication(application, body, request);
function refused(body: object, application = submitted): unknown {
  try {
    decide(body as DecisionInput, application);
  } catch (error) {
    if (error instanceof ApiError) return error.details?.map(({ field }) => field) ?? error.code;
  }
  return 'taken';
}

test('the submission of an application that is not pending is rejected as application_not_pending, even if the application is incomplete', () => {
  const asks = { ...request, accountRecord: { requireCompleteApplication: true } };
  const refusal = (status: StoredApplication['status']) => () =>
    submitApplication({ ...submitted, status }, asks);
  expect(refusal('submitted')).toThrow(expect.objectContaining({ code: 'application_not_pending' }));
  expect(refusal('pending')).toThrow(expect.objectContaining({ code: 'application_incomplete' }));
});

test('an approved merchant’s rate and risk review dates are days in the account’s time zone', async () => {
  const form = { businessBanking: undefined, businessOwners: [], basics: { dbaName: 'Harbor' } };
  const risk: RiskAssessment = {
    score: 35,
    level: 'medium',
    factors: [],
    assessedAt: '2026-03-04T16:00:00.000Z',
    assessedBy: 'grace@example.com',
  };
  const { merchant } = await approveApplication(
    { ...submitted, ...form, admin: { risk }, scheduleAPerItemFees: { batchFee: 20 } },
    {
      now: new Date('2026-03-05T16:00:00.000Z'),
      account: submitted.accountId,
      body: { decision: 'approved' },
      principal: { actor: { user: 'grace@example.com' } },
      accountRecord: { timezone: 'Asia/Tokyo' },
      dataKeys: async () => knownKeys,
    },
  );
  expect(merchant.rates.map(({ effectiveDate }) => effectiveDate)).toEqual(['2026-03-06']);
  expect(merchant.riskMetrics.lastRiskReview).toBe('2026-03-05');
});

test('an approval and a rejection record the user, the time and the reason', () => {
  const made = { decidedBy: 'grace@example.com', decidedAt: '2026-03-05T09:00:00.000Z' };
  expect(decide({ decision: 'approved' })).toMatchObject({
    status: 'approved',
    decidedAt: made.decidedAt,
    version: submitted.version + 1,
    updatedBy: 'grace@example.com',
    admin: { priority: 'high', decision: { decision: 'approved', ...made } },
  });
  expect(decide({ decision: 'rejected', reason: 'Too risky' })).toMatchObject({
    status: 'rejected',
    decidedAt: made.decidedAt,
    submittedAt: submitted.submittedAt,
    admin: { decision: { decision: 'rejected', reason: 'Too risky', ...made } },
  });
});

test('a request for information makes the application pending, and the merchant sees the request', () => {
  const requested = [
    { field: 'businessBanking.bankRouting', message: 'Check it.' },
    { documentKey: 'voided-check', message: 'It cannot be read.' },
  ];
  const after = decide({ decision: 'info_requested', reason: 'Unclear', requested });
  expect(after.status).toBe('pending');
  expect([after.decidedAt, after.submittedAt, after.submittedBy]).toEqual([undefined, undefined, undefined]);
  expect(showToStaff(after).system).toMatchObject({ submitted: false, appSubmittedBool: 'false' });
  expect(showToApplicant(after).infoRequested).toEqual(requested);
  expect(showToStaff(after).admin?.decision).toMatchObject({ decision: 'info_requested', reason: 'Unclear' });
});

test('only a submitted application can be decided', () => {
  const codes = appStatuses.map((status) => refused({ decision: 'approved' }, { ...submitted, status }));
  expect(codes).toEqual([
    'application_not_submitted',
    'taken',
    'application_not_submitted',
    'application_not_submitted',
  ]);
});

test('every decision except an approval requires a reason', () => {
  expect(refused({ decision: 'rejected' })).toEqual(['reason']);
  expect(refused({ decision: 'info_requested', reason: '  ' })).toEqual(['reason']);
  expect(refused({ decision: 'approved' })).toBe('taken');
});

test('a requested item must be an existing field or document, and is accepted only with info_requested', () => {
  const message = 'Please.';
  const ask = (item: object) =>
    refused({ decision: 'info_requested', reason: 'Unclear', requested: [{ message, ...item }] });
  for (const field of [
    'basics',
    'basics.dbaZip',
    'basics.dbaTaxId',
    'businessOwners',
    'businessOwners[ada]',
    'businessOwners[ada].name',
  ])
    expect(ask({ field }), field).toBe('taken');
  for (const field of [
    'basics.zip',
    'basics.toString',
    'basics[ada].dbaZip',
    'system.appFlags',
    'businessOwners[bob].name',
    'businessOwners.name',
    'businessOwners[ada].id',
    '',
  ])
    expect(ask({ field }), field).toEqual(['requested[0].field']);
  const [owner] = submitted.businessOwners;
  const unusual = { ...submitted, businessOwners: owner ? [{ ...owner, uniqueId: 'a].name' }] : [] };
  const requested = [{ message, field: 'businessOwners[a].name].name' }];
  expect(refused({ decision: 'info_requested', reason: 'Unclear', requested }, unusual)).toBe('taken');
  expect(ask({ documentKey: 'driver-license_ada' })).toBe('taken');
  expect(ask({ documentKey: 'driver-license_bob' })).toEqual(['requested[0].documentKey']);
  expect(ask({})).toEqual(['requested[0]']);
  expect(ask({ field: 'basics', documentKey: 'other' })).toEqual(['requested[0]']);
  expect(refused({ decision: 'approved', requested: [{ field: 'basics', message }] })).toEqual(['requested']);
});

test('a new request removes answered requests and the open request for the same field, and keeps other requests', () => {
  const infoRequested = [
    { field: 'basics.dbaZip', message: 'Check it.' },
    { field: 'basics.dbaCity', message: 'Check it.', answered: true },
    { documentKey: 'voided-check', message: 'It cannot be read.' },
  ];
  const asked = { ...submitted, admin: { infoRequested } };
  const again = { field: 'basics.dbaZip', message: 'It has five digits.' };
  const after = decide({ decision: 'info_requested', reason: 'Unclear', requested: [again] }, asked);
  expect(after.admin.infoRequested).toEqual([infoRequested[2], again]);
  expect(decide({ decision: 'approved' }, asked).admin.infoRequested).toEqual([infoRequested[1]]);
});
