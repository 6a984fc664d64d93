import { invalid } from '../../errors.ts';
import { emailIn, phoneIn } from '../../formats.ts';
import type { AccountId } from '../../id/account-id.ts';
import { asRecordId } from '../../id/mint.ts';
import type { Membership } from '../../people/users/schema.ts';
import { anyMemberNamed, memberships } from '../../people/users/store.ts';
import { applicationIdIn } from '../../sales/applications/application-id.ts';
import { applications } from '../../sales/applications/store.ts';
import { leads } from '../../sales/leads/store.ts';
import { merchants } from '../../sales/merchants/store.ts';
import type { StoredMerchant } from '../../sales/merchants/stored-merchant.ts';
import { mids } from '../../sales/mids/store.ts';
import type { Principal, SignedIn } from '../../security/principal.ts';
import { mayRead, type ReadPermission, subjectPermissions } from '../../security/read-permission.ts';
import type { RequesterType, Ticket, TicketInput } from './schema.ts';

/** What a ticket is linked to. */
export type TicketLinks = Pick<Ticket, 'merchantId' | 'merchantName' | 'leadId' | 'applicationId' | 'midId'>;

/** Somebody who can be asked back. */
interface Contact {
  name?: string;
  email?: string;
  phone?: string;
}

/** The record of a requester. */
export interface RequesterRecord {
  /** The canonical spelling of `requesterId`. */
  id: string;
  /** The link to the record itself. */
  links: TicketLinks;
  /** Values of the record, which a ticket copies only for callers that may read it. */
  copied: Contact & Pick<TicketLinks, 'merchantId' | 'merchantName'>;
  /** A user who asks stands in for it. */
  callerFirst?: true;
}

/** Finds the source of one type of requester; undefined where the account has none of this id. */
type RequesterReader = (account: AccountId, requesterId: string) => Promise<RequesterRecord | undefined>;

/** A reader by the numeric id of a record. */
const byId =
  (read: (account: AccountId, id: number) => Promise<RequesterRecord | undefined>): RequesterReader =>
  async (account, text) => {
    const id = asRecordId(text);
    return id === undefined ? undefined : read(account, id);
  };

/** Where each type of requester comes from. Item by item what wins: the first that is filled in. */
const readers: Readonly<Record<RequesterType, RequesterReader>> = {
  user: async (account, requesterId) => {
    const member = await anyMemberNamed(account, requesterId);
    return member && { id: String(member.id), links: {}, copied: contactOf(member) };
  },
  lead: byId(async (account, id) => {
    const lead = await leads.find(account, id);
    if (!lead) return undefined;
    const { firstName, lastName } = lead;
    const [email, phone] = [emailIn(lead.email), phoneIn(lead.phone)];
    const copied = { name: fullName(firstName, lastName), email, phone };
    return { id: String(id), links: { leadId: id }, copied };
  }),
  application: async (account, requesterId) => {
    const id = applicationIdIn(requesterId);
    const application = id && (await applications.find(account, id));
    if (!application) return undefined;
    const { basics = {}, businessOwners } = application;
    const name = [basics.dbaContact, businessOwners[0]?.name, basics.dbaName].find(filled);
    const { dbaEmail: email, dbaPhone: phone } = basics;
    return {
      id: application.id,
      links: { applicationId: application.id },
      copied: { name, email, phone },
    };
  },
  merchant: byId(async (account, id) => sourceOf(await merchants.find(account, id))),
  'merchant-internal': byId(async (account, id) => {
    const source = sourceOf(await merchants.find(account, id));
    return source && { ...source, callerFirst: true };
  }),
  mid: byId(async (account, id) => {
    const mid = await mids.find(account, id);
    const source = mid && sourceOf(await merchants.find(account, mid.merchantId));
    return (
      source && {
        id: String(id),
        links: { midId: id },
        copied: { ...source.copied, merchantId: source.links.merchantId },
      }
    );
  }),
  external: async (_, id) => ({ id, links: {}, copied: {} }),
};

/** What the account knows of the requester that a new ticket names; undefined where it has no such record. */
export const findRequesterRecord = (
  account: AccountId,
  { requesterType, requesterId }: Pick<TicketInput, 'requesterType' | 'requesterId'>,
): Promise<RequesterRecord | undefined> => readers[requesterType](account, requesterId);

/** The requester's fields of a ticket: copies, as of now. */
type Requester = Pick<
  Ticket,
  'requesterType' | 'requesterId' | 'requesterName' | 'requesterEmail' | 'requesterPhone'
>;

/**
 * The requester of a new ticket. What its source has wins, what the source lacks may be sent. Nothing is copied for a caller
 * that may not read the source, but every user may read itself. Throws a 400 that names `requesterId` where there is no
 * source, and `requesterName` or `requesterEmail` where neither has one.
 */
export function requesterOf(
  body: TicketInput,
  source: RequesterRecord | undefined,
  caller: Membership | undefined,
  principal: SignedIn,
): Requester {
  const { requesterType } = body;
  if (!source) throw invalid('requesterId', `names no ${nounOf[requesterType]} of this account`);
  const isCaller =
    requesterType === 'user' && principal.kind === 'user' && source.id === String(principal.id);
  const readable = isCaller || mayRead(principal, permissionsFor[requesterType]);
  const readableContact: Contact = readable ? source.copied : {};
  const known = source.callerFirst && caller ? contactOf(caller) : readableContact;
  const name = [known.name, body.requesterName].find(filled);
  const email = [known.email, body.requesterEmail].find(filled);
  const phone = [known.phone, body.requesterPhone].find(filled);
  if (!name) throw invalid('requesterName', lacking(requesterType, readable));
  if (!email) throw invalid('requesterEmail', lacking(requesterType, readable));
  return {
    requesterType,
    requesterId: source.id,
    requesterName: name,
    requesterEmail: email,
    ...(phone && { requesterPhone: phone }),
  };
}

/** The member that makes the request, where its source says that a user stands in for it. */
export const callerFor = async (
  account: AccountId,
  source: RequesterRecord | undefined,
  principal: Pick<Principal, 'kind' | 'id'>,
): Promise<Membership | undefined> =>
  source?.callerFirst && principal.kind === 'user' && typeof principal.id === 'number'
    ? memberships.find(account, principal.id)
    : undefined;

const nounOf: Readonly<Record<RequesterType, string>> = {
  user: 'user',
  lead: 'lead',
  application: 'application',
  merchant: 'merchant',
  'merchant-internal': 'merchant',
  mid: 'MID',
  external: 'requester',
};

/** The permissions to read the record of each type of requester. */
const permissionsFor: Readonly<Record<RequesterType, readonly ReadPermission[]>> = {
  user: subjectPermissions.user,
  lead: subjectPermissions.lead,
  application: subjectPermissions.application,
  merchant: subjectPermissions.merchant,
  'merchant-internal': subjectPermissions.merchant,
  mid: subjectPermissions.mid,
  external: [],
};

function lacking(type: RequesterType, readable: boolean): string {
  if (type === 'external') return 'is required of somebody external';
  return readable
    ? `is required: the ${nounOf[type]} that requesterId names has none`
    : `is required: the caller may not read the ${nounOf[type]} that requesterId names`;
}

/** Of somebody who was invited and has not answered an account knows no more than the email. */
const contactOf = ({ name, email, phone, invited }: Membership): Contact =>
  invited ? { email } : { name, email, phone };

/** A merchant is asked through its first principal. */
function sourceOf(merchant: StoredMerchant | undefined): RequesterRecord | undefined {
  if (!merchant) return undefined;
  const { id, merchantName, principals } = merchant;
  const [first] = principals;
  return {
    id: String(id),
    links: { merchantId: id },
    copied: {
      name: fullName(first?.firstName, first?.lastName) ?? merchantName,
      email: first?.email,
      phone: first?.phone,
      merchantName,
    },
  };
}

const fullName = (...names: (string | undefined)[]): string | undefined =>
  names.filter(filled).join(' ') || undefined;

/** Blanks are no answer. */
const filled = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';
