import { expect, test } from 'vitest';
import createLead from '../functions/leads/create-lead.ts';
import { Account, AccountEntry } from '../shared/accounts/schema.ts';
import { ApiKey } from '../shared/apikeys/schema.ts';
import { AuditEntry } from '../shared/audit/schema.ts';
import { LeadPatch, LeadWithAudit } from '../shared/leads/schema.ts';
import { LookupOption, LookupOptionPatch } from '../shared/lookups/schema.ts';
import type { TObject } from '../shared/schema.ts';
import { UserSession } from '../shared/sessions/schema.ts';
import { NotificationPreference } from '../shared/users/notification-preferences.ts';
import { User, UserInput } from '../shared/users/schema.ts';

/** The types of a schema's fields, as JSON Schema names them. */
const typesOf = ({ properties }: TObject) =>
  Object.fromEntries(
    Object.entries(properties as Record<string, { type?: unknown; format?: string }>).map(
      ([name, { type, format }]) => [
        name,
        [type].flat().filter((one) => one !== 'null')[0] + (format === 'date-time' ? ' date-time' : ''),
      ],
    ),
  );

const strings = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, 'string']));

/** The fields of the interface's tables with their types; a schema may have more, never fewer or others. */
const tables: [string, TObject, Record<string, string>][] = [
  [
    'Lead',
    LeadWithAudit,
    {
      ...strings(
        'accountId applicationId firstName lastName imgSrc email phone company jobTitle branch source position location ' +
          'productsServicesSold currentPaymentProcessor processStage buyingRole notes assignedTo createdBy',
      ),
      id: 'integer',
      teamId: 'integer',
      leadSourceId: 'integer',
      numberOfEmployees: 'integer',
      monthlyTransactionVolume: 'integer',
      interestedInSwitching: 'boolean',
      lastContacted: 'string date-time',
      archived: 'boolean',
      createdAt: 'string date-time',
      updatedAt: 'string date-time',
      auditLog: 'array',
    },
  ],
  [
    'Audit log entry',
    AuditEntry,
    {
      ...strings('event user apiKey requestMethod requestPath requestIpAddress account_id'),
      id: 'integer',
      data: 'object',
      created: 'string date-time',
      requestHeaders: 'object',
    },
  ],
  [
    'Lookup option',
    LookupOption,
    {
      ...strings('value text group_name locale description'),
      id: 'integer',
      displayOrder: 'integer',
      metadata: 'object',
      parent_id: 'integer',
      custom_sort_index: 'integer',
      is_active: 'boolean',
      expires_at: 'string date-time',
    },
  ],
  [
    'PUT /lookup/{table}/{field}/id/{id}',
    LookupOptionPatch,
    {
      ...strings('value text group_name locale description'),
      displayOrder: 'integer',
      metadata: 'object',
      parent_id: 'integer',
      custom_sort_index: 'integer',
      is_active: 'boolean',
      expires_at: 'string date-time',
    },
  ],
  [
    'API key',
    ApiKey,
    {
      ...strings('description apiKey lastFourOfSecret'),
      id: 'integer',
      expiresAt: 'string date-time',
      permissions: 'array',
      createdAt: 'string date-time',
      updatedAt: 'string date-time',
    },
  ],
  [
    'User',
    User,
    {
      ...strings('email name phone imgSrc createdBy updatedBy token'),
      id: 'integer',
      active: 'boolean',
      teamId: 'integer',
      notificationPreferences: 'object',
      createdAt: 'string date-time',
      updatedAt: 'string date-time',
      accounts: 'array',
      flatRolesList: 'array',
      flatPermissionsList: 'array',
    },
  ],
  [
    'POST /users',
    UserInput,
    {
      ...strings('email name phone imgSrc'),
      teamId: 'integer',
      active: 'boolean',
      notificationPreferences: 'array',
      roles: 'array',
    },
  ],
  [
    'User session',
    UserSession,
    {
      ...strings('email token createdBy updatedBy'),
      id: 'integer',
      createdAt: 'string date-time',
      updatedAt: 'string date-time',
      primaryAccount: 'object',
      accounts: 'array',
      flatRolesList: 'array',
      flatPermissionsList: 'array',
    },
  ],
  [
    'Account entry',
    AccountEntry,
    { ...strings('accountId accountName'), usersPrimaryAccount: 'boolean', accountAdmin: 'boolean' },
  ],
  [
    'Notification preference',
    NotificationPreference,
    { ...strings('event accountId'), deliveryPref: 'array' },
  ],
];

test.each(tables)('%s has every field of the interface, each of its type', (_, schema, fields) => {
  expect(typesOf(schema)).toMatchObject(fields);
});

test('a lead needs its names and nothing else', () => {
  expect(createLead.contract.body).toMatchObject({ required: ['firstName', 'lastName'] });
  expect(LeadPatch).not.toHaveProperty('required.0');
});

test('an account has the fields that the service is configured by', () => {
  expect(typesOf(Account)).toMatchObject({
    ...strings('id name timezone portalUrl'),
    requireCompleteApplication: 'boolean',
    slaTargets: 'object',
  });
});
