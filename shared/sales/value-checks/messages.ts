/**
 * The messages of warning rules that apply to applications and merchants, by the id of the rule. Each message completes
 * a sentence that begins with the field's name.
 */
export const valueMessages = {
  state: 'is not a two-letter USPS code of a state, territory or military post',
  zip: 'is not a ZIP code: five or nine digits',
  po_box: 'is a PO box: enter the street address of the business',
  routing_digits: 'is not a routing number: it must have 9 digits, including zeros at the start',
  routing_placeholder: 'is a placeholder that belongs to no bank',
  routing_checksum: 'is not a valid routing number: its check digit is wrong',
  routing_prefix: 'is not a valid routing number: no bank has these first two digits',
  bank_account_digits: 'is not an account number: it must have 4 to 17 digits, and no exponent such as E+11',
  ssn_digits: 'must have 9 digits',
  ssn_never_issued: 'was never issued',
  ssn_placeholder: 'is a published placeholder, which belongs to nobody',
  license_characters: 'is not a license number: 4 to 20 letters and digits, at least one digit',
  birth_date_real: 'is not a valid date such as 1985-12-10 or 12/10/1985',
  birth_date_age: 'gives an age below 18 or above 120 years',
} as const;
