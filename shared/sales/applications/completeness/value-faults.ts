import { sensitiveFaults } from '../../value-checks/sensitive-faults.ts';

const checks: Record<string, (plain: string, now: Date) => string[]> = {
  'basics.dbaTaxId': sensitiveFaults.taxId,
  'businessBanking.bankAccount': sensitiveFaults.bankAccount,
  'businessOwners[].socialSecurityNumber': sensitiveFaults.ssn,
  'businessOwners[].driversLicenseNumber': sensitiveFaults.driversLicense,
  'businessOwners[].dateOfBirth': sensitiveFaults.birthDate,
};

/** The ids of the warning rules that each sensitive field can break. */
export const faultIds: Readonly<Record<string, readonly string[]>> = {
  'basics.dbaTaxId': [
    'tax_id_digits',
    'tax_id_ein_prefix',
    'tax_id_ssn_never_issued',
    'tax_id_ssn_placeholder',
  ],
  'businessBanking.bankAccount': ['bank_account_digits'],
  'businessOwners[].socialSecurityNumber': ['ssn_digits', 'ssn_never_issued', 'ssn_placeholder'],
  'businessOwners[].driversLicenseNumber': ['license_characters'],
  'businessOwners[].dateOfBirth': ['birth_date_real', 'birth_date_age'],
};

/**
 * Returns the ids of the warning rules that a sensitive value breaks. `field` is a path such as
 * `businessOwners[own_1].dateOfBirth`.
 */
export const formValueFaults = (field: string, plain: string, now: Date): string[] =>
  checks[field.replace(/\[.*\]/s, '[]')]?.(plain, now) ?? [];
