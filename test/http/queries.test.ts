import { describe, expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import listPermissions from '../../functions/permissions/list-permissions.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();
const named = (name: string, value: unknown = 'polluted') => Object.fromEntries([[name, value]]);

describe('a query parameter named like a property of Object.prototype', () => {
  const names = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '__proto__[polluted]',
  ];

  test.each(names)('a query parameter with a reserved name is rejected: ?%s=', async (name) => {
    const body = { firstName: 'Ada', lastName: 'Byron' };
    for (const value of ['polluted', ['polluted', 'again']])
      for (const response of [
        await acme.key.call(listLeads, { query: named(name, value) }),
        await acme.key.call(listPermissions, { query: named(name, value) }),
        await acme.key.call(createLead, { query: named(name, value), body }),
      ]) {
        expect(response.body).toMatchObject({ status: 400, error: 'invalid_input' });
        expect(response.body.details).toEqual([{ field: name, message: 'is not a field of this request' }]);
      }
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
