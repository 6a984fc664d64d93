import {
  array,
  boolean,
  date,
  dateTime,
  decimal,
  integer,
  object,
  oneOf,
  optional,
  sensitive,
  string,
  webAddress,
} from '../../schema.ts';

const text = (example: string, length = 200) => string({ maxLength: length, examples: [example] });
/**
 * A value that is stored encrypted. Responses show the plain text only if the request asks for it and the
 * caller has the permission.
 */
const secret = (example: string) =>
  sensitive({
    minLength: 1,
    maxLength: 64,
    examples: [example],
    description: 'Sensitive: shown as REDACTED unless `reveal` is true and the caller has the permission.',
  });
const amount = (example: number) =>
  decimal({ places: 4, minimum: 0, examples: [example], description: 'Dollars.' });
const ratio = (example: number, description: string) =>
  decimal({ places: 6, minimum: 0, examples: [example], description });
const percent = (example: number) => ratio(example, 'Percent.');

export const processingStatuses = ['enabled', 'disabled', 'limited', 'hold'] as const;

/** The merchant's own fields that a request may set. */
export const coreFields = {
  merchantName: string({ minLength: 1, maxLength: 200, examples: ['Harbor Street Coffee'] }),
  dba: text('Harbor Street Coffee'),
  legalName: text('Harbor Street Coffee LLC'),
  mcc: string({ maxLength: 4, pattern: '^[0-9]{1,4}$', examples: ['5814'] }),
  mccDescription: text('Fast food restaurants'),
  status: oneOf(['active', 'inactive', 'suspended', 'pending', 'closed']),
  processingStatus: oneOf(processingStatuses),
  riskLevel: oneOf(['low', 'medium', 'high', 'critical']),
  agentAccountId: text('agent-17', 64),
  agentName: text('Lin Chen'),
  isoName: text('Harbor Payments'),
  activatedDate: dateTime(),
  lastProcessingDate: dateTime(),
};

export const principalFields = {
  type: oneOf([
    'FOUNDER',
    'CO_FOUNDER',
    'INVESTOR',
    'SHAREHOLDER',
    'PARTNER',
    'SILENT_PARTNER',
    'LIMITED_PARTNER',
    'EMPLOYEE_OWNER',
    'FAMILY_MEMBER',
    'HEIR',
    'BOARD_MEMBER_WITH_EQUITY',
  ]),
  firstName: text('Ada'),
  lastName: text('Byron'),
  email: text('ada@example.com', 254),
  phone: text('+1 415 555 0134', 64),
  ssn: secret('123-45-6789'),
  driversLicenseNumber: secret('D1234567'),
  driversLicenseState: text('CA', 64),
  dateOfBirth: secret('1985-12-10'),
  homeStreet1: text('5 Hill Street'),
  homeStreet2: text('Apartment 2'),
  homeCity: text('Oakland'),
  homeState: text('CA', 64),
  homeZipCode: text('94601', 16),
  equityOwnership: integer({ minimum: 0, maximum: 100, examples: [60], description: 'Percent.' }),
};

export const addressFields = {
  type: oneOf(['business', 'legal', 'mailing']),
  street1: text('12 Harbor Street'),
  street2: text('Suite 4'),
  city: text('San Francisco'),
  state: text('CA', 64),
  postalCode: text('94110', 16),
  country: string({ maxLength: 64, examples: ['US'], description: 'Default: US.' }),
};

export const bankingFields = {
  routingNumber: text('011000015', 16),
  accountNumber: secret('000123456789'),
  bankName: text('First Harbor Bank'),
  accountType: oneOf(['checking', 'savings']),
};

export const processingFields = {
  monthlyVolume: amount(25_000),
  averageTicket: amount(18.5),
  highTicket: amount(400),
  currentReserve: amount(1500),
  reservePercentage: percent(5),
  processingLimit: amount(50_000),
  dailyLimit: amount(2500),
  monthlyLimit: amount(50_000),
};

/** The fields of a row of rates, without its effectiveDate. */
export const rateFields = {
  discountRate: percent(2.75),
  transactionFee: amount(0.1),
  monthlyFee: amount(9.95),
  annualFee: amount(99),
  chargebackFee: amount(25),
  batchFee: amount(0.2),
  statementFee: amount(7.5),
  pciComplianceFee: amount(8.25),
  agentSplit: percent(40),
  isoSplit: percent(60),
};

export const complianceFields = {
  pciCompliant: boolean(),
  pciLevel: text('4', 64),
  lastPciDate: date(),
  nextPciDue: date(),
  certificateUrl: webAddress(),
  documentsRequired: array(
    object({
      type: string({ minLength: 1, maxLength: 100, examples: ['pci-attestation'] }),
      status: oneOf(['pending', 'approved', 'expired']),
      expiryDate: optional(date()),
    }),
    { maxItems: 50 },
  ),
};

export const riskFields = {
  riskScore: integer({ minimum: 0, maximum: 1_000_000, examples: [35] }),
  chargebackCount: integer({ minimum: 0, examples: [2] }),
  chargebackRatio: ratio(0.0012, 'Chargebacks per transaction.'),
  refundRatio: ratio(0.01, 'Refunds per transaction.'),
  suspiciousActivity: boolean(),
  lastRiskReview: date(),
  nextRiskReview: date(),
};
