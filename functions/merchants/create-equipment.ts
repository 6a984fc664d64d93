import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Equipment, EquipmentInput } from '../../shared/sales/equipment/schema.ts';
import { equipment } from '../../shared/sales/equipment/store.ts';
import { equipmentChanged } from '../../shared/sales/merchants/equipment-events.ts';
import { requireReachedMerchant } from '../../shared/sales/merchants/reached-merchant.ts';
import { MerchantParams } from '../../shared/sales/merchants/schema.ts';
import { newRecord } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/merchants/{merchantId}/equipment',
  permission: 'writeMerchants',
  reach: 'merchant',
  params: MerchantParams,
  body: EquipmentInput,
  response: Equipment,
  success: 'created',
  emits: ['merchant_updated'],
  summary: 'Add a piece of equipment to a merchant',
  read: (input) => requireReachedMerchant(input, input.params.merchantId),
  decide: (request) => {
    const { type, ...fields } = request.body;
    const piece = {
      ...newRecord(request),
      ...request.params,
      status: 'active' as const,
      ...fields,
      kind: type,
    };
    return {
      response: equipment.show(piece),
      writes: equipment.insert(piece),
      events: equipmentChanged(undefined, piece),
    };
  },
});
