import { describe, expect, test } from 'vitest';
import completeMerchantDocument from '../../functions/merchants/complete-merchant-document.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMerchantDocument from '../../functions/merchants/create-merchant-document.ts';
import deleteMerchantDocument from '../../functions/merchants/delete-merchant-document.ts';
import linkMerchantDocument from '../../functions/merchants/link-merchant-document.ts';
import readMerchant from '../../functions/merchants/read-merchant.ts';
import updateMerchantDocument from '../../functions/merchants/update-merchant-document.ts';
import { tenant } from '../harness/tenant.ts';
import { describedFile, withFile } from '../routes/uploaded-document.ts';

const acme = await tenant();

describe('the documents of a merchant', () => {
  test('the documents of a merchant are in its response with their type, until they are deleted', async () => {
    const { id: merchantId } = await acme.admin.ok(createMerchant, {
      body: { merchantName: 'Harbor Street' },
    });
    const read = () => acme.admin.ok(readMerchant, { params: { merchantId } });
    const body = { ...describedFile, type: 'contract' };
    const made = await acme.admin.ok(createMerchantDocument, { params: { merchantId }, body });
    const params = { merchantId, documentId: made.id };
    await withFile(completeMerchantDocument)(acme, params, made);

    // Types are counted separately, in the item that also proves that the merchant exists.
    await acme.admin.ok(updateMerchantDocument, { params, body: { type: 'statement', status: 'approved' } });
    expect(await read()).toMatchObject({
      documents: [{ id: made.id, name: 'example.pdf', type: 'statement', status: 'approved' }],
      totals: { documents: 1 },
    });
    const { url } = await acme.admin.ok(linkMerchantDocument, { params });
    expect(await (await fetch(url)).text()).toContain('%PDF-1.7');

    await acme.admin.ok(deleteMerchantDocument, { params });
    expect(await read()).toMatchObject({ documents: [], totals: { documents: 0 } });
  });
});
