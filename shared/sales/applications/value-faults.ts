import { sensitiveFaults } from '../value-checks/sensitive-faults.ts';

const checks: Record<string, (plain: string, now: Date) => string[]> = {
  'basics.dbaTaxId': sensitiveFaults.taxId,
  'businessBanking.bankAccount': sensitiveFaults.bankAccount,
  'businessOwners[].socialSecurityNumber': sensitiveFaults.ssn,
  'businessOwners[].driversLicenseNumber': sensitiveFaults.driversLicense,
  'businessOwners[].dateOfBirth': sensitiveFaults.birthDate,
};

/**
 * Returns the ids of the warning rules that a sensitive value breaks. `field` is a path such as
 * `businessOwners[own_1].dateOfBirth`.
 */
export const formValueFaults = (field: string, plain: string, now: Date): string[] =>
  checks[field.replace(/\[.*\]/s, '[]')]?.(plain, now) ?? [];
