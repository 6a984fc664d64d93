import { describe, expect, test } from 'vitest';
import { showToApplicant, showToStaff } from '../../shared/sales/applications/show-application.ts';
import { application } from './decided-application.ts';

describe('an application', () => {
  test('shows its state to staff, and only those sensitive values that were decrypted', () => {
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
    expect(JSON.stringify(shown)).not.toMatch(/sealed|blind|listId/);
  });

  test('has no dates in system before anything happened', () => {
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

  test('shows the form, the status and the requests to an applicant, and no data of the staff', () => {
    const shown = JSON.parse(JSON.stringify(showToApplicant(application)));
    expect(shown).toMatchObject({
      version: 7,
      system: { appStatus: 'approved', submitted: true },
      basics: { dbaName: 'Harbor', dbaTaxId: 'REDACTED' },
      infoRequested: [{ field: 'basics.dbaName', message: 'Which one?' }],
    });
    expect(JSON.stringify(shown)).not.toMatch(
      /staff|R-secret|sealed|blind|"77"|leadId|appKey|auditLog|createdBy/,
    );
  });
});
