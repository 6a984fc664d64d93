import { invalid } from '../../errors.ts';
import { emailIn, phoneIn } from '../../formats.ts';
import type { AccountId } from '../../id/account-id.ts';
import { asRecordId } from '../../id/mint.ts';
import { namesHiddenUser } from '../../people/users/rules.ts';
import type { Membership } from '../../people/users/schema.ts';
import { findMemberByReference, memberships } from '../../people/users/store.ts';
import { subjectPermissions } from '../../resources/derived.ts';
import type { ReachedType } from '../../resources/registry.ts';
import { parseApplicationId } from '../../sales/applications/record/application-id.ts';
import { applications } from '../../sales/applications/store.ts';
import { leads } from '../../sales/leads/store.ts';
import { shownMids } from '../../sales/merchants/shown-mids.ts';
import { merchants } from '../../sales/merchants/store.ts';
import type { StoredMerchant } from '../../sales/merchants/stored-merchant.ts';
import { mids } from '../../sales/mids/store.ts';
import type { Principal, SignedIn } from '../../security/principal.ts';
import { hides, mayReach } from '../../security/reach.ts';
import { mayRead } from '../../security/read-permission.ts';
import type { RequesterType, Ticket, TicketInput } from './schema.ts';

export type TicketLinks = Pick<Ticket, 'merchantId' | 'merchantName' | 'leadId' | 'applicationId' | 'midId'>;

interface Contact {
  name?: string;
  email?: string;
  phone?: string;
}

export interface RequesterRecord {
  /** The canonical form of `requesterId`. */
  id: string;
  links: TicketLinks;
  /** Copied to the ticket only if the caller may read the record. */
  copied: Contact & Pick<TicketLinks, 'merchantId' | 'merchantName'>;
  /** The record that decides whether the caller reaches the requester: for a MID, its merchant. */
  reach?: { type: ReachedType; record: object };
  /** If the caller is a user, the ticket gets the caller's contact, not the contact in `copied`. */
  callerFirst?: true;
}

type RequesterReader = (account: AccountId, requesterId: string) => Promise<RequesterRecord | undefined>;

const byId =
  (read: (account: AccountId, id: number) => Promise<RequesterRecord | undefined>): RequesterReader =>
  async (account, text) => {
    const id = asRecordId(text);
    return id === undefined ? undefined : read(account, id);
  };

/** The functions that read the record of a requester. Each contact field uses the first value that is not blank. */
const readers: Readonly<Record<RequesterType, RequesterReader>> = {
  user: async (account, requesterId) => {
    const member = await findMemberByReference(account, requesterId);
    return member && { id: String(member.id), links: {}, copied: contactOf(member) };
  },
  lead: byId(async (account, id) => {
    const lead = await leads.find(account, id);
    if (!lead) return undefined;
    const { firstName, lastName } = lead;
    const { email, phone } = lead;
    const copied = { name: fullName(firstName, lastName), email, phone };
    return { id: String(id), links: { leadId: id }, copied, reach: { type: 'lead', record: lead } };
  }),
  application: async (account, requesterId) => {
    const id = parseApplicationId(requesterId);
    const application = id && (await applications.find(account, id));
    if (!application) return undefined;
    const { basics = {}, businessOwners } = application;
    const name = [basics.dbaContact, businessOwners[0]?.name, basics.dbaName].find(filled);
    const { dbaEmail: email, dbaPhone: phone } = basics;
    return {
      id: application.id,
      links: { applicationId: application.id },
      copied: { name, email, phone },
      reach: { type: 'application', record: application },
    };
  },
  merchant: byId(async (account, id) => sourceOf(await merchants.find(account, id))),
  'merchant-internal': byId(async (account, id) => {
    const source = sourceOf(await merchants.find(account, id));
    return source && { ...source, callerFirst: true };
  }),
  mid: byId(async (account, id) => {
    const mid = await mids.find(account, id);
    // `findMany`, as in `callerFor`: a hidden MID must cause the same requests as an unknown one.
    const [merchant] = mid ? await merchants.findMany(account, [mid.merchantId]) : [];
    const source = sourceOf(merchant);
    return (
      source && {
        id: String(id),
        links: { midId: id },
        copied: { ...source.copied, merchantId: source.links.merchantId },
        reach: source.reach,
      }
    );
  }),
  external: async (_, id) => ({ id, links: {}, copied: {} }),
};

/** Returns the record of the requester of a new ticket; undefined if the record does not exist. */
export const findRequesterRecord = (
  account: AccountId,
  { requesterType, requesterId }: Pick<TicketInput, 'requesterType' | 'requesterId'>,
): Promise<RequesterRecord | undefined> => readers[requesterType](account, requesterId);

/**
 * Builds the requester fields of a new ticket as copies, which later changes of the record do not affect.
 * Values of the record override sent values, but are copied only if the caller may read the record or is the
 * requester. Values that are not an email address or telephone number are not copied: `warnings` lists them. Throws a
 * 400 error if the record does not exist or is hidden from the caller, or if the name or email is missing.
 */
export function requesterOf(
  body: TicketInput,
  source: RequesterRecord | undefined,
  caller: Membership | undefined,
  principal: SignedIn,
) {
  const { requesterType } = body;
  const { reach } = source ?? {};
  const isHidden = requesterType === 'user' && namesHiddenUser(principal, body.requesterId);
  if (!source || isHidden || isHiddenSource(source, principal))
    throw invalid('requesterId', `no ${nouns[requesterType]} with this id in this account`);
  const isCaller =
    requesterType === 'user' && principal.kind === 'user' && source.id === String(principal.id);
  const readable = reach
    ? mayReach(principal, reach.type, 'read', reach.record)
    : isCaller || (requesterType === 'user' && mayRead(principal, subjectPermissions.user));
  const readableContact: Contact = readable ? source.copied : {};
  const known = source.callerFirst && caller ? contactOf(caller) : readableContact;
  const name = [known.name, body.requesterName].find(filled);
  const email = [emailIn(known.email), body.requesterEmail].find(filled);
  const phone = [phoneIn(known.phone), body.requesterPhone].find(filled);
  if (!name) throw invalid('requesterName', missing(requesterType, readable));
  if (!email)
    throw invalid(
      'requesterEmail',
      filled(known.email)
        ? `is required, because the email of the ${nouns[requesterType]} in requesterId is not an email address`
        : missing(requesterType, readable),
    );
  return {
    requester: {
      requesterType,
      requesterId: source.id,
      requesterName: name,
      requesterEmail: email,
      ...(phone && { requesterPhone: phone }),
    },
    warnings:
      !phone && filled(known.phone)
        ? [
            {
              field: 'requesterPhone',
              message: `was not copied, because the phone of the ${nouns[requesterType]} is not a telephone number`,
            },
          ]
        : [],
  };
}

const isHiddenSource = ({ reach }: RequesterRecord, principal: Principal): boolean =>
  reach !== undefined && hides(principal, reach.type, reach.record);

/**
 * Returns the caller's membership if the record sets `callerFirst` and the caller is a user. A hidden record is treated as
 * missing. If a MID is missing, a caller who reaches some merchants causes the read of its merchant here.
 */
export async function callerFor(
  account: AccountId,
  { requesterType }: Pick<TicketInput, 'requesterType'>,
  source: RequesterRecord | undefined,
  principal: SignedIn,
): Promise<Membership | undefined> {
  if (!source && requesterType === 'mid') await shownMids(principal, account, [], 1);
  const isOfCaller = source?.callerFirst && !isHiddenSource(source, principal);
  return isOfCaller && principal.kind === 'user' && typeof principal.id === 'number'
    ? memberships.find(account, principal.id)
    : undefined;
}

const nouns: Readonly<Record<RequesterType, string>> = {
  user: 'user',
  lead: 'lead',
  application: 'application',
  merchant: 'merchant',
  'merchant-internal': 'merchant',
  mid: 'MID',
  external: 'requester',
};

function missing(type: RequesterType, readable: boolean): string {
  if (type === 'external') return 'is required for an external requester';
  return readable
    ? `is required, because the ${nouns[type]} in requesterId does not have this value`
    : `is required, because you may not read the ${nouns[type]} in requesterId`;
}

/** Until an invited user accepts the invitation, the account may see only the email. */
const contactOf = ({ name, email, phone, invited }: Membership): Contact =>
  invited ? { email } : { name, email, phone };

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
    reach: { type: 'merchant', record: merchant },
  };
}

const fullName = (...names: (string | undefined)[]): string | undefined =>
  names.filter(filled).join(' ') || undefined;

const filled = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';
