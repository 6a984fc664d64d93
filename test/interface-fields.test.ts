import { expect, test } from 'vitest';
import createLead from '../functions/leads/create-lead.ts';
import { Account, AccountEntry } from '../shared/accounts/schema.ts';
import { MerchantDocument } from '../shared/documents/schema.ts';
import { AuditEntry } from '../shared/integrity/audit/schema.ts';
import { Notification } from '../shared/messaging/notifications/schema.ts';
import { ApiKey } from '../shared/people/apikeys/schema.ts';
import { UserSession } from '../shared/people/sessions/schema.ts';
import { NotificationPreference } from '../shared/people/users/notification-preferences.ts';
import { User, UserInput } from '../shared/people/users/schema.ts';
import { RotationMember } from '../shared/rotations/schema.ts';
import {
  Application,
  ApplicationInput,
  ApplicationSystem,
  DocumentRequirements,
  Owner,
} from '../shared/sales/applications/schema.ts';
import { Equipment } from '../shared/sales/equipment/schema.ts';
import { LeadPatch, LeadWithAudit } from '../shared/sales/leads/schema.ts';
import { LookupOption, LookupOptionPatch } from '../shared/sales/lookups/schema.ts';
import {
  Address,
  Banking,
  Compliance,
  Merchant,
  MerchantParts,
  MerchantPatch,
  Principal,
  Processing,
  Rate,
  RiskMetrics,
} from '../shared/sales/merchants/schema.ts';
import { Note } from '../shared/sales/notes/schema.ts';
import type { TObject, TSchema } from '../shared/schema.ts';
import { TicketTypeMapping } from '../shared/support/integrations/schema.ts';
import { TicketRotation, TicketRotationPatch } from '../shared/support/ticket-rotations/schema.ts';
import { CustomField, TicketType, TicketTypeReplacement } from '../shared/support/ticket-types/schema.ts';
import { BulkInput, BulkPayload, BulkResult } from '../shared/support/tickets/bulk-schema.ts';
import { Ticket, TicketInput, TicketPatch } from '../shared/support/tickets/schema.ts';

/** The types of a schema's fields, as JSON Schema names them. */
const typesOf = ({ properties }: TObject) =>
  Object.fromEntries(
    Object.entries(properties as Record<string, { type?: unknown; format?: string }>).map(
      ([name, { type, format }]) => [
        name,
        [type].flat().filter((one) => one !== 'null')[0] +
          (format === 'date-time' || format === 'date' ? ` ${format}` : ''),
      ],
    ),
  );

const all = (type: string, names: string) => Object.fromEntries(names.split(' ').map((name) => [name, type]));
const strings = (names: string) => all('string', names);

/** The fields of an application's sections, as the interface lists them. */
const sections: Record<string, Record<string, string>> = {
  basics: {
    ...strings(
      'dbaCity dbaContact dbaEmail dbaName dbaPhone dbaState dbaStreet1 dbaStreet2 dbaStruct dbaTaxId dbaTraded dbaZip ' +
        'locAddr1 locAddr2 locCity locContact locEmail locName locPhone locState locZip primaryLanguage tinType',
    ),
    locationDifferent: 'boolean',
  },
  businessDetails: {
    ...all('integer', 'b2BSalesPercent mccNumber naicsNumber publicSalesPercent sicNumber'),
    ...strings(
      'businessAdvertising geographicSalesArea marketType mccCategory productsServicesSold salesMethods ' +
        'seasonalMerchantBool seasonalMerchantExplain website',
    ),
    ...all(
      'boolean',
      'seasonalJanBool seasonalFebBool seasonalMarBool seasonalAprBool seasonalMayBool seasonalJunBool seasonalJulBool ' +
        'seasonalAugBool seasonalSepBool seasonalOctBool seasonalNovBool seasonalDecBool',
    ),
  },
  businessHistory: {
    ...all('boolean', 'bankruptcyBool cardAcceptTerminationBool'),
    ...strings('cardAcceptTerminationExplain creditAcceptHistoryBool explainBankruptcy previousCcProcessor'),
    ...all('integer', 'chargebacksLastYear chargebackTotalAmount monthsInBiz yearsInBiz'),
  },
  businessBanking: strings('bankAccount bankContact bankName bankRouting'),
  orderProcessing: {
    ...strings(
      'afterAuthShipDelay cardAcceptanceMethods cardDescriptor cardInfoEnteredBy customerServicePhone ' +
        'customerServiceEmail ordersProcessedBy refundPolicy shippedVia shippingServices whoShipsProduct',
    ),
    deliveryReceiptBool: 'boolean',
    ...all('integer', 'cardSwipePercent cardKeyedPercent cardMoToPercent cardInternetPercent'),
  },
  scheduleABasics: all(
    'integer',
    'avgAmexCardSales avgCreditCardSales avgSaleAmount maxSaleAmount highMonthlyVolume',
  ),
  scheduleADiscountRates: {
    billType: 'string',
    ...all('boolean', 'optBlueAcceptBool assessmentsBool interchangeBool pinDebitNetworkFees'),
    ...all(
      'integer',
      'flatRate combinedMidQualRate combinedNonQualRate combinedQualRate costPlusAobRate costPlusRate ' +
        'sepAobMidQualRate sepAobNonQualRate sepAobQualRate sepCardMidQualRate sepCardNonQualRate sepCardQualRate ' +
        'sepDebitMidQualRate sepDebitNonQualRate sepDebitQualRate',
    ),
  },
  scheduleAPerItemFees: all(
    'integer',
    'authFeeFlat authFeeIntChg authFeeTiered addressVerificationFee batchFee chargebackFee creditTranFee debitTranFee ' +
      'midQualItem nonQualItem retreivalFee returnFee teAuthFee wirelessTranFee',
  ),
};
const ownerFields = {
  id: 'integer',
  ...strings('name socialSecurityNumber driversLicenseNumber dateOfBirth uniqueId'),
};
/** The sections by their names, each of its type. */
const sectionTypes = { ...all('object', Object.keys(sections).join(' ')), businessOwners: 'array' };

const merchantFields = {
  ...strings(
    'merchantName dba legalName mcc mccDescription status processingStatus riskLevel agentAccountId agentName isoName',
  ),
  ...all('string date-time', 'activatedDate lastProcessingDate'),
};
const merchantParts = {
  ...all('array', 'principals addresses'),
  ...all('object', 'banking processing compliance riskMetrics'),
};
const ids = all('integer', 'id merchantId');

/** The schema of a field, or of what an array or a map holds. */
const inside = (schema: TSchema, ...path: string[]): TObject =>
  path.reduce<unknown>((one, name) => {
    const { properties, items, additionalProperties } = one as Record<string, Record<string, unknown>>;
    return name === '*' ? (items ?? additionalProperties) : properties?.[name];
  }, schema) as TObject;

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
    'Application',
    Application,
    {
      ...strings('id repcode custom_domain createdBy'),
      ...sectionTypes,
      ...all('object', 'system admin documentRequirements validation'),
      ...all('string date-time', 'createdAt updatedAt'),
      auditLog: 'array',
    },
  ],
  [
    'Application, system',
    ApplicationSystem,
    {
      ...strings(
        'appKey appStatus submittedBy appFlags applicationLog appCompletedByMerchantBool appSubmittedBool appAcceptedBool ' +
          'agentCode documentId',
      ),
      submitted: 'boolean',
      ...all(
        'string date-time',
        'submittedDate appCreatedDate appUpdatedDate appCompletedByMerchantDate appSubmittedDate appSentForEsignDate ' +
          'merchantSignedDate appAcceptedDate',
      ),
    },
  ],
  ...Object.entries(sections).flatMap(([name, fields]): [string, TObject, Record<string, string>][] => [
    [`Application, ${name}`, inside(Application, name), fields],
    [`Application input, ${name}`, inside(ApplicationInput, name), fields],
  ]),
  ['Application, businessOwners', Owner, ownerFields],
  ['Application input, businessOwners', inside(ApplicationInput, 'businessOwners', '*'), ownerFields],
  ['Application input', ApplicationInput, { repcode: 'string', system: 'object', ...sectionTypes }],
  [
    'Application, documentRequirements',
    DocumentRequirements,
    {
      total: 'integer',
      ...all('object', 'byCategory uploadedDocuments completeness'),
      ...all('array', 'ownerSpecific businessGeneral allDocuments requiredDocuments'),
    },
  ],
  [
    'Application, documentRequirements by category',
    inside(DocumentRequirements, 'byCategory'),
    all('array', 'identification business financial operational banking'),
  ],
  [
    'Application, documentRequirements, all documents',
    inside(DocumentRequirements, 'allDocuments', '*'),
    { ...strings('key name category ownerName'), uploaded: 'boolean', uploadInfo: 'object' },
  ],
  [
    'Application, documentRequirements, uploaded documents',
    inside(DocumentRequirements, 'uploadedDocuments', '*'),
    { key: 'string', files: 'array' },
  ],
  [
    'Application, documentRequirements, required documents',
    inside(DocumentRequirements, 'requiredDocuments', '*'),
    { ...strings('key name category'), ...all('boolean', 'required uploaded') },
  ],
  [
    'Application, documentRequirements, completeness',
    inside(DocumentRequirements, 'completeness'),
    { ...all('integer', 'uploaded required'), percentage: 'number' },
  ],
  [
    'Merchant',
    Merchant,
    {
      id: 'integer',
      ...merchantFields,
      ...strings('merchantAccountId isoAccountId createdBy updatedBy'),
      ...all('string date-time', 'createdAt updatedAt'),
    },
  ],
  ['Merchant, parts', MerchantParts, { ...merchantParts, rates: 'array' }],
  [
    'Merchant, principals',
    Principal,
    {
      ...ids,
      ...strings(
        'type firstName lastName email phone ssn driversLicenseNumber driversLicenseState dateOfBirth homeStreet1 ' +
          'homeStreet2 homeCity homeState homeZipCode',
      ),
      equityOwnership: 'integer',
    },
  ],
  [
    'Merchant, addresses',
    Address,
    { ...ids, ...strings('type street1 street2 city state postalCode country') },
  ],
  [
    'Merchant, banking',
    Banking,
    { ...ids, ...strings('routingNumber accountNumberLast4 accountNumber bankName accountType') },
  ],
  [
    'Merchant, processing',
    Processing,
    {
      ...ids,
      ...all(
        'number',
        'monthlyVolume averageTicket highTicket currentReserve reservePercentage processingLimit dailyLimit monthlyLimit',
      ),
    },
  ],
  [
    'Merchant, rates',
    Rate,
    {
      ...ids,
      ...all(
        'number',
        'discountRate transactionFee monthlyFee annualFee chargebackFee batchFee statementFee pciComplianceFee ' +
          'agentSplit isoSplit',
      ),
      effectiveDate: 'string date',
    },
  ],
  [
    'Merchant, compliance',
    Compliance,
    {
      ...ids,
      pciCompliant: 'boolean',
      ...strings('pciLevel certificateUrl'),
      ...all('string date', 'lastPciDate nextPciDue'),
      documentsRequired: 'array',
    },
  ],
  [
    'Merchant, compliance, documentsRequired',
    inside(Compliance, 'documentsRequired', '*'),
    { ...strings('type status'), expiryDate: 'string date' },
  ],
  [
    'Merchant, riskMetrics',
    RiskMetrics,
    {
      ...ids,
      ...all('integer', 'riskScore chargebackCount'),
      ...all('number', 'chargebackRatio refundRatio'),
      suspiciousActivity: 'boolean',
      ...all('string date', 'lastRiskReview nextRiskReview'),
    },
  ],
  [
    'Merchant, equipment',
    Equipment,
    {
      ...strings('id type model serialNumber status'),
      merchantId: 'integer',
      ...all('string date', 'deployedDate returnedDate'),
    },
  ],
  [
    'Merchant, notes',
    Note,
    {
      ...strings('id author content type visibility'),
      merchantId: 'integer',
      date: 'string date-time',
    },
  ],
  [
    'Merchant, documents',
    MerchantDocument,
    {
      ...strings('id name type uploadedBy status url'),
      merchantId: 'integer',
      uploadedDate: 'string date-time',
    },
  ],
  ['PUT /merchants/{merchantId}', MerchantPatch, { ...merchantFields, ...merchantParts, rates: 'object' }],
  [
    'Ticket',
    Ticket,
    {
      ...all('integer', 'id assignedTeamId merchantId leadId midId'),
      ...strings(
        'uniqueId accountId ticketNumber ticketTypeId subject description status priority category source requesterId ' +
          'requesterName requesterEmail requesterPhone requesterType assignedTo merchantName applicationId slaStatus',
      ),
      ...all(
        'string date-time',
        'createdAt updatedAt resolvedAt closedAt lastResponseAt lastCustomerResponseAt slaFirstResponseDue ' +
          'slaResolutionDue slaBreachedAt slaPausedAt',
      ),
      ...all('boolean', 'slaFirstResponseMet slaResolutionMet'),
      ...all(
        'integer',
        'slaTotalPausedTime responseCount internalNoteCount attachmentCount reopenCount escalationCount ' +
          'firstResponseTime resolutionTime',
      ),
      ...all('object', 'customFields metaData'),
      tags: 'array',
    },
  ],
  [
    'PATCH /tickets/{ticketId}',
    TicketPatch,
    {
      ...strings('subject description status priority category assignedTo'),
      assignedTeamId: 'integer',
      customFields: 'object',
      tags: 'array',
    },
  ],
  [
    'Ticket type',
    TicketType,
    {
      id: 'integer',
      ...strings('uniqueId accountId name description category rotationId createdBy updatedBy'),
      ...all('array', 'requiredPermissions customFields'),
      ...all('boolean', 'isActive autoAssignmentEnabled'),
      sortOrder: 'integer',
      ...all('string date-time', 'createdAt updatedAt'),
    },
  ],
  [
    'PUT /ticket-types/{id}',
    TicketTypeReplacement,
    {
      ...strings('name description category rotationId'),
      ...all('array', 'requiredPermissions customFields'),
      autoAssignmentEnabled: 'boolean',
      sortOrder: 'integer',
    },
  ],
  [
    'Ticket type mapping',
    TicketTypeMapping,
    {
      ...all('integer', 'id partnerCategoryId'),
      ...strings('accountId partnerCategoryName serviceTicketTypeId serviceCategoryEnum createdBy updatedBy'),
      ...all('string date-time', 'createdAt updatedAt'),
      ticketType: 'object',
    },
  ],
  [
    'Ticket type mapping, ticketType',
    inside(TicketTypeMapping, 'ticketType'),
    { ...strings('uniqueId name description category'), isActive: 'boolean' },
  ],
  [
    'Bulk operation result',
    BulkResult,
    {
      success: 'boolean',
      ...all('integer', 'totalRequested successCount failureCount'),
      results: 'array',
      executionTime: 'number',
    },
  ],
  ['POST /tickets/bulk', BulkInput, { ticketIds: 'array', action: 'string', payload: 'object' }],
  [
    'Ticket rotation',
    TicketRotation,
    {
      ...all('integer', 'id currentPosition'),
      ...strings('uniqueId accountId name ticketTypeId status createdBy updatedBy'),
      userRotationArray: 'array',
      ...all('string date-time', 'createdAt updatedAt'),
    },
  ],
  ['Rotation member', RotationMember, { ...strings('userId email name'), weight: 'integer' }],
  [
    'PATCH /ticket-rotations/{id}',
    TicketRotationPatch,
    {
      ...strings('name ticketTypeId status'),
      userRotationArray: 'array',
      currentPosition: 'integer',
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
    'Notification',
    Notification,
    {
      id: 'integer',
      ...strings(
        'event user account_id notificationSubject notificationBody portalLink portalLinkDescription',
      ),
      data: 'object',
      ...all('boolean', 'error markedRead'),
      created: 'string date-time',
    },
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

/** The interface's closed lists of words. */
const words: [string, TObject, string][] = [
  ['appStatus', inside(ApplicationSystem, 'appStatus'), 'pending submitted approved rejected'],
  [
    'category of a document',
    inside(DocumentRequirements, 'requiredDocuments', '*', 'category'),
    'identification business financial operational banking',
  ],
  ['status of a merchant', inside(Merchant, 'status'), 'active inactive suspended pending closed'],
  ['processingStatus', inside(Merchant, 'processingStatus'), 'enabled disabled limited hold'],
  ['riskLevel', inside(Merchant, 'riskLevel'), 'low medium high critical'],
  [
    'type of a principal',
    inside(Principal, 'type'),
    'FOUNDER CO_FOUNDER INVESTOR SHAREHOLDER PARTNER SILENT_PARTNER LIMITED_PARTNER EMPLOYEE_OWNER FAMILY_MEMBER HEIR ' +
      'BOARD_MEMBER_WITH_EQUITY',
  ],
  ['type of an address', inside(Address, 'type'), 'business legal mailing'],
  ['accountType', inside(Banking, 'accountType'), 'checking savings'],
  [
    'status of a required document',
    inside(Compliance, 'documentsRequired', '*', 'status'),
    'pending approved expired',
  ],
  ['status of equipment', inside(Equipment, 'status'), 'active inactive returned'],
  ['type of a note', inside(Note, 'type'), 'general risk support compliance billing agent'],
  ['visibility of a note', inside(Note, 'visibility'), 'internal merchant all'],
  ['status of a ticket rotation', inside(TicketRotation, 'status'), 'active inactive'],
  [
    'status of a ticket',
    inside(Ticket, 'status'),
    'open in_progress waiting_customer waiting_internal resolved closed',
  ],
  ['priority of a ticket', inside(Ticket, 'priority'), 'low medium high urgent'],
  [
    'category of a ticket',
    inside(Ticket, 'category'),
    'technical billing account compliance feature_request underwriting general_support general_forms retention ' +
      'activations fee_change_forms bank_submissions',
  ],
  ['source of a ticket', inside(Ticket, 'source'), 'email phone portal internal api'],
  [
    'requesterType of a ticket',
    inside(Ticket, 'requesterType'),
    'application lead user merchant merchant-internal mid external',
  ],
  [
    'status of a bulk',
    inside(BulkInput, 'payload', 'status'),
    'open in_progress waiting_customer waiting_internal resolved closed',
  ],
  ['priority of a bulk', inside(BulkInput, 'payload', 'priority'), 'low medium high urgent'],
  [
    'action of a bulk',
    inside(BulkInput, 'action'),
    'assign change_status change_priority add_tag remove_tag',
  ],
  ['slaStatus of a ticket', inside(Ticket, 'slaStatus'), 'on_time at_risk breached paused'],
  [
    'category of a ticket type',
    inside(TicketType, 'category'),
    'technical billing account compliance feature_request underwriting general_support general_forms retention ' +
      'activations fee_change_forms bank_submissions',
  ],
  [
    'type of a custom field',
    inside(CustomField, 'type'),
    'text long_text integer decimal boolean date date_time select multi_select email phone url',
  ],
  ['status of a document', inside(MerchantDocument, 'status'), 'pending approved rejected'],
];

test.each(words)('%s is one of the words of the interface and no other', (_, schema, list) => {
  expect(schema).toMatchObject({ enum: list.split(' ') });
});

test('an application takes no field that it does not show, and of system only what the interface lets a request say', () => {
  for (const [name, fields] of Object.entries({ ...sections, businessOwners: ownerFields })) {
    const [shown, sent] = [Application, ApplicationInput].map((schema) =>
      Object.keys(inside(schema, ...(name === 'businessOwners' ? [name, '*'] : [name])).properties),
    );
    expect(sent?.toSorted(), name).toEqual(shown?.toSorted());
    expect(shown?.toSorted(), name).toEqual(Object.keys(fields).toSorted());
  }
  expect(typesOf(inside(ApplicationInput, 'system'))).toEqual(strings('appStatus appFlags applicationLog'));
  expect(ApplicationInput).not.toHaveProperty('required.0');
});

test('a ticket shows what the interface lists and the stamps of every record, and PATCH takes what the interface lists', () => {
  const fieldsIn = (table: string) => Object.keys(tables.find(([name]) => name === table)?.[2] ?? {});
  const stamps = ['version', 'createdBy', 'updatedBy'];
  expect(Object.keys(Ticket.properties).sort()).toEqual([...fieldsIn('Ticket'), ...stamps].sort());
  expect(Object.keys(TicketPatch.properties).sort()).toEqual(fieldsIn('PATCH /tickets/{ticketId}').sort());
  expect(TicketPatch).not.toHaveProperty('required.0');
  expect(TicketInput).toMatchObject({
    required: ['subject', 'description', 'requesterType', 'requesterId'],
  });
  expect(Ticket).toMatchObject({
    required: expect.arrayContaining(
      [
        'id uniqueId accountId ticketNumber subject description status priority category source requesterId',
        'requesterName requesterEmail requesterType createdAt updatedAt',
      ].flatMap((names) => names.split(' ')),
    ),
  });
});

test('a bulk says what the interface lists, and its name; of each ticket its id, whether it succeeded, and an error or null', () => {
  const listed = Object.keys(tables.find(([name]) => name === 'Bulk operation result')?.[2] ?? {});
  expect(Object.keys(BulkResult.properties).sort()).toEqual([...listed, 'bulkId'].sort());
  expect(BulkResult.properties.results.items.properties).toMatchObject({
    ticketId: { type: 'string' },
    success: { type: 'boolean' },
    error: { type: ['string', 'null'] },
  });
  expect(BulkResult.properties.results.items.required).toEqual(['ticketId', 'success', 'error']);
  expect(Object.keys(BulkPayload.properties)).toEqual([
    'assignedTo',
    'assignedTeamId',
    'status',
    'priority',
    'tag',
  ]);
});

test('a ticket type and a mapping show what the interface lists and their version, and PUT takes what the interface lists', () => {
  const listed = Object.keys(tables.find(([name]) => name === 'Ticket type')?.[2] ?? {});
  expect(Object.keys(TicketType.properties).sort()).toEqual([...listed, 'version'].sort());
  const mapped = Object.keys(tables.find(([name]) => name === 'Ticket type mapping')?.[2] ?? {});
  expect(Object.keys(TicketTypeMapping.properties).sort()).toEqual([...mapped, 'version'].sort());
  const sent = Object.keys(tables.find(([name]) => name === 'PUT /ticket-types/{id}')?.[2] ?? {});
  expect(Object.keys(TicketTypeReplacement.properties).sort()).toEqual(sent.sort());
});

test('a member of a rotation has all four of its fields and no other, its weight from 1 to 10', () => {
  expect(Object.keys(RotationMember.properties)).toEqual(['userId', 'email', 'name', 'weight']);
  expect(RotationMember.required).toEqual(['userId', 'email', 'name', 'weight']);
  expect(RotationMember.properties.weight).toMatchObject({ type: 'integer', minimum: 1, maximum: 10 });
  expect(TicketRotation.required).toEqual(
    expect.arrayContaining(['id', 'uniqueId', 'accountId', 'name', 'status', 'userRotationArray']),
  );
  expect(TicketRotationPatch).not.toHaveProperty('required.0');
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
    businessHours: 'object',
  });
});
