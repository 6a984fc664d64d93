/** The fields whose values are stored sealed. */
export const sensitiveFields = {
  principals: ['ssn', 'driversLicenseNumber', 'dateOfBirth'],
  banking: ['accountNumber'],
} as const;
