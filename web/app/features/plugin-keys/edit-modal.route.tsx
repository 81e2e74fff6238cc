import { useActionData, useLoaderData } from '@remix-run/react';
import { ModalPage } from '../modals/modal-page';
import { EditKeyModal } from './edit-modal';
import { type editKeyOnPage, loadEdit } from './keys.server';

export const handle = { i18n: ['account'] };
export const loader = loadEdit;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';
export { editKeyOnPage as action } from './keys.server';

export default function EditKeyPage() {
  const { value } = useLoaderData<typeof loader>();
  const { problem = null, choice } = useActionData<typeof editKeyOnPage>() ?? {};
  return <ModalPage modal="plugin-key:edit" with={{ value: { ...value, ...choice }, problem }} body={EditKeyModal} />;
}
