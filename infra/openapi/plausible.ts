import type { JsonSchema } from './types.ts';

/** What fields hold, by the end of their name; the first row that fits is taken first. */
const textByName: readonly [RegExp, string][] = [
  [/^apiKey$/, 'mo_key_acme_0Xk3P9aQe7RtY2uIoP4sDf'],
  [/secret$/i, 'mo_sk_7Qm2xV9bN4kT1wZ8cR5yH3jL6pF0dGsA2eU7iOqM4tXrB9nKvWzYc'],
  [/lastFour|last4/i, '4821'],
  [/^token$/, 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyIn0.c2lnbmF0dXJl'],
  [/password$/i, 'correct horse battery staple'],
  [/^(accountId|account_id|acctId|account)$/, 'acme'],
  [/^applicationId$/, 'app_7H2K9M4QX1'],
  [/^ticketTypeId$/, 'tty_0E7Z8M4K2QX1'],
  [/^rotationId$/, 'rot_0E7Z8M4K2QX1'],
  [/^ticketId$/, 'tkt_0E7Z8M4K2QX1'],
  [/^ticketNumber$/, 'TKT-000123'],
  [/^(assignedTo|userId|requesterId)$/, '214563398120449'],
  [/Id$/, '214563398120449'],
  [/^(createdBy|updatedBy|user|actor|submittedBy|author)$/, 'dana.reyes@example.com'],
  [/email$/i, 'dana.reyes@example.com'],
  [/^firstName$/, 'Dana'],
  [/^lastName$/, 'Reyes'],
  [/^(accountName|company|merchantName|dba|dbaName|legalName|locName)$/, 'Harbor Street Coffee'],
  [/bankName$/i, 'First National Bank'],
  [/contact$/i, 'Dana Reyes'],
  [/^(agentName|isoName)$/, 'Northwind Payments'],
  [/^name$/i, 'Dana Reyes'],
  [/phone$/i, '+1 415 555 0134'],
  [/zip(code)?\d?$|postalCode$/i, '94107'],
  [/state$/i, 'CA'],
  [/city$/i, 'San Francisco'],
  [/street1$|addr1$/i, '410 Harbor Street'],
  [/street2$|addr2$/i, 'Suite 2'],
  [/^country$/, 'US'],
  [/ssn|socialSecurityNumber|taxId|bankAccount|accountNumber|driversLicenseNumber|dateOfBirth/i, 'REDACTED'],
  [/routing/i, '021000021'],
  [/^mcc$/, '5814'],
  [/^mid$/, '498120004471'],
  [/^table$/, 'leads'],
  [/^field$/, 'status'],
  [/^timezone$/, 'America/New_York'],
  [/locale$/, 'en-US'],
  [/imgSrc|website|url$/i, 'https://example.com'],
  [/^(subject|notificationSubject)$/, 'Terminal does not print receipts'],
  [/^tags?$/, 'hardware'],
  [/^title$|jobTitle$/i, 'Owner'],
  [/^ipAddress$|IpAddress$/, '203.0.113.7'],
  [/^(requestMethod|method)$/, 'PATCH'],
  [/^(requestPath|path)$/, '/leads/214563398120449'],
  [/^event$|^events$/, 'lead_created'],
  [/permissionsList$|^permissions$/i, 'readLeads'],
  [/^sort$/, '-createdAt'],
];

const textByFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-03-01T09:30:00.000Z',
  date: '2026-03-01',
  time: '09:30:00Z',
  email: 'dana.reyes@example.com',
  uri: 'https://example.com/harbor-street',
  uuid: '0b9f1f3c-5c1e-4c57-9a56-3a2f3c1d7e10',
};

const numberByName: readonly [RegExp, number][] = [
  [/^id$|Id$|_id$/, 214563398120449],
  [/weight$/i, 5],
  [/percent|ratio|ownership/i, 25],
  [/year/i, 4],
  [/volume|amount|limit|sales/i, 25000],
  [/fee|rate|ticket$/i, 25],
  [/^page$|^currentPage$|^totalPages$|^totalCount$|^version$/, 1],
  [/^pageSize$/, 25],
  [/status$/, 400],
];

/** Values that a text or number of this name and format could well have, the likeliest first. */
export function plausible(name: string, { type, format }: JsonSchema): (string | number)[] {
  const types = [type].flat();
  if (types.includes('string'))
    return [
      ...(typeof format === 'string' ? [textByFormat[format] ?? ''] : []),
      ...textByName.flatMap(([names, text]) => (names.test(name) ? [text] : [])),
      sentence(name),
      'text',
      '1',
    ];
  return [...numberByName.flatMap(([names, number]) => (names.test(name) ? [number] : [])), 3, 1, 0, 100];
}

/** `productsServicesSold` as `Products services sold`. */
function sentence(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/([a-z])([A-Z])/g, '$1 $2');
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase() || 'Text';
}
