import { expect } from 'vitest';
import { asAccountId } from '../../shared/id/account-id.ts';
import type { StoredApplication } from '../../shared/sales/applications/record/stored-application.ts';

const encrypted = { jwe: 'encrypted', faults: [], blind: 'blind' };

/** An application in which every field of the life cycle is set. */
export const application: StoredApplication = {
  id: 'app_65YB3N0G2M1',
  accountId: asAccountId('acme') ?? expect.fail(),
  version: 7,
  createdAt: '2026-03-01T09:00:00.000Z',
  createdBy: 'created@staff.test',
  updatedAt: '2026-03-02T09:00:00.000Z',
  updatedBy: 'updated@staff.test',
  listId: 99,
  repcode: 'R-secret',
  status: 'approved',
  appFlags: 'flag of the staff',
  applicationLog: 'log of the staff',
  submittedBy: 'submitted@staff.test',
  submittedAt: '2026-03-03T09:00:00.000Z',
  decidedAt: '2026-03-04T09:00:00.000Z',
  completedAt: '2026-03-02T12:00:00.000Z',
  appKey: encrypted,
  basics: { dbaName: 'Harbor', dbaTaxId: encrypted },
  businessBanking: { bankAccount: encrypted },
  businessOwners: [
    {
      id: 1,
      uniqueId: 'ada',
      name: 'Ada',
      socialSecurityNumber: encrypted,
      driversLicenseNumber: encrypted,
      dateOfBirth: encrypted,
    },
  ],
  nextOwnerId: 2,
  admin: { leadId: 5, assignedTo: '77', infoRequested: [{ field: 'basics.dbaName', message: 'Which one?' }] },
  uploads: {},
  signed: { documentId: '123', at: '2026-03-02T10:00:00.000Z' },
};
