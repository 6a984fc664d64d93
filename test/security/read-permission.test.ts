import { describe, expect, test } from 'vitest';
import {
  allPermissions,
  eventCatalogue,
  eventKinds,
  subjectPermissions,
  subjectTypes,
} from '../../shared/resources/derived.ts';
import { isPermission } from '../../shared/security/permissions.ts';
import { mayRead, permissionsOfKind, permissionsToRead } from '../../shared/security/read-permission.ts';

describe('the permission to read', () => {
  test('every kind of event requires known permissions or an administrator', () => {
    for (const kind of eventKinds) {
      const needed = permissionsOfKind(kind);
      expect(needed, kind).not.toHaveLength(0);
      expect(new Set(needed).size, kind).toBe(needed.length);
      for (const one of needed) expect(one === 'administrator' || isPermission(one), one).toBe(true);
    }
    expect(Object.keys(subjectPermissions).sort()).toEqual(
      [...new Set(Object.values(subjectTypes).flat())].sort(),
    );
  });

  test('an event about a child record requires the permission for the parent record', () => {
    const data = { documentId: 1, documentKey: 'id', name: 'a.pdf', contentType: 'application/pdf', size: 7 };
    const file = { data };
    for (const [type, permission] of [
      ['application', 'readApplications'],
      ['merchant', 'readMerchants'],
      ['ticket', 'readTickets'],
    ] as const)
      expect(
        permissionsToRead({ ...file, subject: { type: 'document', id: 1, parent: { type, id: 2 } } }),
      ).toEqual([permission]);
    // Older events have the ticket as subject instead of the document.
    expect(permissionsToRead({ ...file, subject: { type: 'ticket', id: 2 } })).toEqual(['readTickets']);
    expect(permissionsOfKind('file_uploaded')).toEqual(['readApplications', 'readMerchants', 'readTickets']);
  });

  test('an internal comment requires readInternalComments and readTickets, and a public comment requires only readTickets', () => {
    const comment = (visibility: 'public' | 'internal') =>
      permissionsToRead({
        subject: { type: 'ticket', id: 1 },
        data: { commentId: 2, visibility, authorType: 'staff' },
      });
    expect(comment('internal')).toEqual(['readTickets', 'readInternalComments']);
    expect(comment('public')).toEqual(['readTickets']);
    expect(permissionsOfKind('ticket_comment_added')).toEqual(['readTickets', 'readInternalComments']);
  });

  test('an administrator may read every kind, and a member only the kinds that its permissions allow', () => {
    const member = { administrator: false, permissions: new Set(['readLeads', 'readEvents']) };
    expect(mayRead(member, permissionsOfKind('lead_created'))).toBe(true);
    expect(mayRead(member, permissionsOfKind('ticket_created'))).toBe(false);
    expect(mayRead(member, permissionsOfKind('account_updated'))).toBe(false);
    for (const kind of eventKinds)
      expect(
        mayRead({ administrator: true, permissions: new Set(allPermissions) }, permissionsOfKind(kind)),
      ).toBe(true);
  });
});

test('the subject types at run time match the catalogue', () => {
  for (const kind of eventKinds) expect(subjectTypes[kind]).toEqual(eventCatalogue[kind].subjects);
  expect(Object.keys(eventCatalogue)).toEqual(eventKinds);
});
