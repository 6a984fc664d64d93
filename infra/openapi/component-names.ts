import { AccountEntry } from '../../shared/accounts/schema.ts';
import * as billing from '../../shared/billing/schema.ts';
import { channelNames } from '../../shared/channels/terms.ts';
import { ClosedAccount } from '../../shared/closing/schema.ts';
import { MailSummary } from '../../shared/correspondence/mails/schema.ts';
import { contentTypes, documentStatuses } from '../../shared/documents/rules.ts';
import { DocumentLink, Upload } from '../../shared/documents/schema.ts';
import type { Contract } from '../../shared/endpoints/contract.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { EventSubject, LoggedEvent } from '../../shared/events/schema.ts';
import { AuditEntry } from '../../shared/integrity/audit/schema.ts';
import { EventProof } from '../../shared/integrity/event-seals/schema.ts';
import { PermissionEntry } from '../../shared/people/apikeys/schema.ts';
import { PermissionList } from '../../shared/people/roles/schema.ts';
import { UserSession } from '../../shared/people/sessions/schema.ts';
import { NotificationPreferenceInput } from '../../shared/people/users/notification-preferences.ts';
import { ListedUser, User } from '../../shared/people/users/schema.ts';
import * as residualFiles from '../../shared/residuals/files/schema.ts';
import { LineExplanation } from '../../shared/residuals/statements/explain-schema.ts';
import { ResidualStatement, StatementProof } from '../../shared/residuals/statements/schema.ts';
import { eventKinds, permissionCatalogue } from '../../shared/resources/derived.ts';
import { RotationMember, RotationMemberInput } from '../../shared/rotations/schema.ts';
import * as readiness from '../../shared/sales/applications/completeness/readiness-schema.ts';
import * as facts from '../../shared/sales/applications/record/fact-schema.ts';
import * as application from '../../shared/sales/applications/record/schema.ts';
import { Reason } from '../../shared/sales/leads/schema.ts';
import { LookupOption, LookupResponse } from '../../shared/sales/lookups/schema.ts';
import { ChangedMerchant, MerchantDetails } from '../../shared/sales/merchants/schema.ts';
import * as rule from '../../shared/sales/underwriting-rules/schema.ts';
import { object, oneOf } from '../../shared/schema.ts';
import * as sla from '../../shared/sla/schema.ts';
import * as reassignments from '../../shared/support/reassignments/schema.ts';
import { CustomField, CustomFieldInput, ticketCategories } from '../../shared/support/ticket-types/schema.ts';
import * as bulk from '../../shared/support/tickets/bulk-schema.ts';
import { bodySchema, querySchema } from '../contract-schemas.ts';
import { bodyNameOf, type NamedContract, nounOf, pascalCase, singular } from './naming.ts';

/** Schemas that are always components, with names that are not derived from an endpoint or a field. */
const given = {
  AccountEntry,
  ActiveStatus: oneOf(['active', 'inactive']),
  AddTicketTag: bulk.AddTicketTag,
  Application: application.Application,
  ApplicationStatus: oneOf(application.appStatuses),
  ApplicationSummary: application.ApplicationSummary,
  ApplicationValidation: application.Validation,
  ApplicationWarning: application.Warning,
  AssignTickets: bulk.AssignTickets,
  AuditEntry,
  BulkTicketOutcome: bulk.BulkTicket,
  BulkTicketResult: bulk.BulkResult,
  BusinessHours: sla.BusinessHours,
  ChangeTicketPriority: bulk.ChangeTicketPriority,
  ChangeTicketStatus: bulk.ChangeTicketStatus,
  ContentType: oneOf(contentTypes),
  CustomField,
  CustomFieldInput,
  DecidedApplication: application.DecidedApplication,
  DocumentRequirement: application.Requirement,
  DocumentRequirements: application.DocumentRequirements,
  DocumentStatus: oneOf(documentStatuses),
  EmptyInput: object({}),
  Event: LoggedEvent,
  EventActor: LoggedEvent.properties.actor,
  EventKind: oneOf(eventKinds),
  ClosedAccount,
  EventProof,
  EventSubject,
  FileDownload: DocumentLink,
  FileUpload: Upload,
  InfoRequest: application.InfoRequest,
  Invoice: billing.Invoice,
  InvoiceCredit: billing.InvoiceCredit,
  InvoiceDetails: billing.InvoiceWithAudit,
  InvoicePayment: billing.InvoicePayment,
  InvoiceRefund: billing.InvoiceRefund,
  InvoiceStatus: oneOf(billing.invoiceStatuses),
  InvoiceSummary: billing.InvoiceSummary,
  LeadReason: Reason,
  ListedUser,
  ListedResidualFile: residualFiles.ListedResidualFile,
  LoginResult: UserSession,
  LookupOption,
  LookupOptionResult: LookupResponse,
  MailSummary,
  ChangedMerchant,
  MerchantDetails,
  Message,
  MissingField: application.MissingField,
  NotificationChannel: oneOf(channelNames),
  NotificationPreferenceInput,
  OpeningHours: sla.OpenInterval,
  Permission: PermissionEntry,
  PermissionList,
  PermissionName: oneOf(permissionCatalogue.map(({ name }) => name)),
  Priority: oneOf(sla.priorities),
  ProcessingMethod: oneOf(application.processingMethods),
  ReadinessDocument: readiness.ReadinessDocument,
  ReadinessFact: facts.ReadinessFact,
  ReadinessField: readiness.ReadinessField,
  ReadinessRequest: readiness.ReadinessRequest,
  ReadinessStep: readiness.ReadinessStep,
  ReadinessStepBlock: readiness.BlockedAction,
  RemovedUser: reassignments.RemovedUser,
  RemoveTicketTag: bulk.RemoveTicketTag,
  RiskAssessment: application.RiskAssessment,
  RiskFactor: application.RiskFactor,
  RiskLevel: oneOf(['low', 'medium', 'high', 'critical']),
  NewResidualFile: residualFiles.NewResidualFile,
  ResidualFile: residualFiles.ResidualFile,
  ResidualLineExplanation: LineExplanation,
  ResidualStatement,
  ResidualStatementProof: StatementProof,
  RotationMember,
  RotationMemberInput,
  SlaFigure: sla.SlaFigure,
  SlaTarget: sla.SlaTarget,
  SlaTargets: sla.SlaTargets,
  TagPayload: bulk.TagPayload,
  TicketCategory: oneOf(ticketCategories),
  UnderwritingDecision: application.UnderwritingDecision,
  UpdatedUser: reassignments.UpdatedUser,
  UnderwritingRule: rule.UnderwritingRule,
  UnderwritingRuleReport: rule.RuleReport,
  UnderwritingRuleTestRun: rule.RuleTestRun,
  UnderwritingRuleReportRow: rule.RuleReport.properties.data.items,
  UploadedFile: application.UploadedFile,
  User,
};

interface ObjectSchema {
  properties?: object;
  items?: unknown;
  additionalProperties?: unknown;
}

/** The query parameters of an endpoint by name. */
export const queryFields = (contract: Contract): [string, object][] =>
  Object.entries((querySchema(contract) as ObjectSchema | undefined)?.properties ?? {});

export interface Enum {
  type: unknown;
  enum: readonly unknown[];
}

/** Reports whether a schema is an enum with at least two values, not counting null. */
export const isEnum = (schema: object): schema is Enum =>
  'enum' in schema && Array.isArray(schema.enum) && schema.enum.filter((value) => value !== null).length > 1;

interface Union {
  discriminator: { propertyName: string };
  oneOf: readonly { properties: Record<string, Enum> }[];
}

export const isUnion = (schema: object): schema is Union => 'discriminator' in schema;

/** The variants of a union, each with its discriminator value. */
export const variantsOf = ({ discriminator, oneOf: variants }: Union): [string, object][] =>
  variants.map((variant) => [String(variant.properties[discriminator.propertyName]?.enum[0]), variant]);

/**
 * Returns a string that identifies the component of a schema. Two objects that differ only in whether they
 * accept null have the same component. Two enums with the same values also have the same component.
 */
export function identityOf(schema: object): string {
  if (isEnum(schema)) return JSON.stringify(oneOf(schema.enum.filter((value) => typeof value === 'string')));
  const { type, ...rules } = schema as { type?: unknown };
  return JSON.stringify({ type: String(type) === 'object,null' ? 'object' : type, ...rules });
}

/**
 * Returns a map from the identity of each shared schema to its name. If `given` contains the schema, its name there is
 * used. Otherwise, the name is the shortest that can be derived from an endpoint and a field with this schema.
 * Throws if two schemas would have the same name.
 */
export function componentNames(
  endpoints: readonly NamedContract[],
  isShared: (schema: object) => boolean,
): Map<string, string> {
  const givenNames = new Map(Object.entries(given).map(([name, schema]) => [identityOf(schema), name]));
  const names = new Map<string, string>();
  /**
   * Names the shared schemas inside `schema`. If a known schema gets a shorter name, its inner schemas are renamed,
   * too.
   */
  const collect = (schema: unknown, derived: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { properties, items, additionalProperties, ...others } = schema as ObjectSchema;
    const identity = identityOf(schema);
    const known = names.get(identity);
    if (known && (known.length <= derived.length || givenNames.has(identity))) return;
    const name = givenNames.get(identity) ?? derived;
    if (isShared(schema) || givenNames.has(identity)) names.set(identity, name);
    for (const [field, inner] of Object.entries(properties ?? {}))
      collect(inner, field === 'data' ? name : name + pascalCase(field));
    for (const inner of [items, additionalProperties]) collect(inner, singular(name));
    if (isUnion(schema))
      for (const [text, variant] of variantsOf(schema)) collect(variant, name + pascalCase(text));
    else for (const inner of Object.values(others)) collect(inner, name);
  };
  for (const { name, contract } of endpoints) {
    collect(bodySchema(contract), bodyNameOf(name));
    collect(contract.response, nounOf(name));
    for (const [field, schema] of queryFields(contract))
      collect(schema, singular(nounOf(name)) + pascalCase(field));
  }
  const taken = new Set<string>();
  for (const name of names.values()) {
    if (taken.has(name))
      throw new Error(`Two schemas have the name ${name}. Add one of them to \`given\` with another name.`);
    taken.add(name);
  }
  return names;
}
