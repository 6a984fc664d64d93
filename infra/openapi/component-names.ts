import { AccountEntry } from '../../shared/accounts/schema.ts';
import { DocumentLink, Upload } from '../../shared/documents/schema.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { KindWarning } from '../../shared/events/warn-about-kinds.ts';
import { AuditEntry } from '../../shared/integrity/audit/schema.ts';
import { PermissionEntry } from '../../shared/people/apikeys/schema.ts';
import { PermissionList } from '../../shared/people/roles/schema.ts';
import { UserSession } from '../../shared/people/sessions/schema.ts';
import { NotificationPreferenceInput } from '../../shared/people/users/notification-preferences.ts';
import { RotationMember, RotationMemberInput } from '../../shared/rotations/schema.ts';
import { Fact, ReadinessStep } from '../../shared/sales/applications/readiness-schema.ts';
import * as application from '../../shared/sales/applications/schema.ts';
import { Reason } from '../../shared/sales/leads/schema.ts';
import { LookupOption, LookupResponse } from '../../shared/sales/lookups/schema.ts';
import { MerchantDetails } from '../../shared/sales/merchants/schema.ts';
import { object } from '../../shared/schema.ts';
import * as sla from '../../shared/sla/schema.ts';
import { CustomField, CustomFieldInput } from '../../shared/support/ticket-types/schema.ts';
import { BulkResult, BulkTicket } from '../../shared/support/tickets/bulk-schema.ts';
import { bodySchema } from '../contract-schemas.ts';
import { bodyNameOf, type NamedContract, nounOf, pascalCase, singular } from './naming.ts';

/** The components whose names are not derived from an endpoint or a field. */
const given = {
  AccountEntry,
  Application: application.Application,
  ApplicationValidation: application.Validation,
  ApplicationWarning: application.Warning,
  AuditEntry,
  BulkTicketOutcome: BulkTicket,
  BulkTicketResult: BulkResult,
  BusinessHours: sla.BusinessHours,
  CustomField,
  CustomFieldInput,
  DocumentRequirement: application.Requirement,
  DocumentRequirements: application.DocumentRequirements,
  EmptyInput: object({}),
  FileDownload: DocumentLink,
  FileUpload: Upload,
  InfoRequest: application.InfoRequest,
  LeadReason: Reason,
  LoginResult: UserSession,
  LookupOption,
  LookupOptionResult: LookupResponse,
  MerchantDetails,
  Message,
  MissingField: application.MissingField,
  NotificationPreferenceInput,
  OpeningHours: sla.OpenInterval,
  Permission: PermissionEntry,
  PermissionList,
  ReadinessFact: Fact,
  ReadinessStep,
  RiskAssessment: application.RiskAssessment,
  RiskFactor: application.RiskFactor,
  RotationMember,
  RotationMemberInput,
  SlaFigure: sla.SlaFigure,
  SlaTarget: sla.SlaTarget,
  SlaTargets: sla.SlaTargets,
  SubscriptionWarning: KindWarning,
  UnderwritingDecision: application.UnderwritingDecision,
  UploadedFile: application.UploadedFile,
};

interface ObjectSchema {
  properties?: object;
  items?: unknown;
  additionalProperties?: unknown;
}

/**
 * Returns the name of each shared schema by the schema's JSON text: the given name, or the shortest name that is derived
 * from the endpoints and fields where the schema occurs. Throws if two schemas would have the same name.
 */
export function componentNames(
  endpoints: readonly NamedContract[],
  isShared: (schema: object) => boolean,
): Map<string, string> {
  const givenByText = new Map(Object.entries(given).map(([name, schema]) => [JSON.stringify(schema), name]));
  const names = new Map<string, string>();
  /** Names the shared schemas in a schema. If a schema gets a shorter name, the schemas inside are named again. */
  const collect = (schema: unknown, derived: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { properties, items, additionalProperties, ...others } = schema as ObjectSchema;
    const text = JSON.stringify(schema);
    const known = names.get(text);
    if (known && (known.length <= derived.length || givenByText.has(text))) return;
    const name = givenByText.get(text) ?? derived;
    if (isShared(schema)) names.set(text, name);
    for (const [field, inner] of Object.entries(properties ?? {}))
      collect(inner, field === 'data' ? name : name + pascalCase(field));
    for (const inner of [items, additionalProperties]) collect(inner, singular(name));
    for (const inner of Object.values(others)) collect(inner, name);
  };
  for (const { name, contract } of endpoints) {
    collect(bodySchema(contract), bodyNameOf(name));
    collect(contract.response, nounOf(name));
  }
  const texts = new Map<string, string>();
  for (const [text, name] of names) {
    if (texts.has(name))
      throw new Error(`Two schemas have the name ${name}. Give one of them another name here.`);
    texts.set(name, text);
  }
  return names;
}
