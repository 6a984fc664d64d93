import { accountKey } from '../../accounts/keys.ts';
import { ApiError, type FieldError, notFound } from '../../errors.ts';
import { type AccountId, asAccountId } from '../../id/account-id.ts';
import { asRecordId } from '../../id/mint.ts';
import { memberships } from '../../people/users/store.ts';
import { inParallel } from '../../table/in-parallel.ts';
import { getItem } from '../../table/read.ts';
import { type Beneficiary, beneficiaryKey } from '../amounts/beneficiary.ts';

/**
 * Returns the names of beneficiaries by `type:id`. `fields` maps the field of a request to the beneficiary in it.
 * `readFormer` reads the names of those who may have left, if the field allows them. Throws `beneficiary_unknown` if one of
 * the others is not an active user or a child account of the account.
 */
export async function nameBeneficiaries(
  account: AccountId,
  fields: ReadonlyMap<string, Beneficiary>,
  readFormer: (field: string) => Promise<Record<string, string>> = async () => ({}),
): Promise<Record<string, string>> {
  const found = await inParallel(
    [...fields].map(async ([field, one]) => ({
      field,
      one,
      name: (await nameOf(account, one)) ?? (await readFormer(field))[beneficiaryKey(one)],
    })),
  );
  const details: FieldError[] = found
    .filter(({ name }) => name === undefined)
    .map(({ field, one }) => ({
      field,
      message:
        one.type === 'user'
          ? 'is not an active user of this account'
          : 'is not a child account of this account',
    }));
  if (details.length > 0) throw new ApiError('beneficiary_unknown', { details });
  return Object.fromEntries(found.map(({ one, name = '' }) => [beneficiaryKey(one), name]));
}

/**
 * Throws `not_found` if the beneficiary in a path is not an active user or a child account of the account, and is not one of
 * those who may have left.
 */
export async function requireBeneficiary(
  account: AccountId,
  beneficiary: Beneficiary,
  readFormer: () => Promise<Record<string, string>>,
): Promise<void> {
  const key = beneficiaryKey(beneficiary);
  if (((await nameOf(account, beneficiary)) ?? (await readFormer())[key]) === undefined)
    throw notFound('beneficiary', key);
}

async function nameOf(account: AccountId, { type, id }: Beneficiary): Promise<string | undefined> {
  if (type === 'user') {
    const userId = asRecordId(id);
    const member = userId === undefined ? undefined : await memberships.find(account, userId);
    return member?.active ? (member.name ?? member.email) : undefined;
  }
  const childId = asAccountId(id);
  const child = childId === undefined ? undefined : await getItem(accountKey(childId));
  return child?.parentAccountId === account ? String(child.name) : undefined;
}
