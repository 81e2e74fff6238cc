import { useActionData, useLoaderData } from '@remix-run/react';
import { ModalPage } from '../modals/modal-page';
import { SecretMenu } from './secret-menu';
import { changeOnPage, loadSecretMenu } from './secret-menu.server';

export const handle = { i18n: ['account'] };
export const loader = loadSecretMenu;
export const action = changeOnPage;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

function PageBody() {
  const { view } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return <SecretMenu view={refused?.view ?? view} />;
}

export default function SecretMenuPage() {
  return <ModalPage modal="secret-menu" with={{}} body={PageBody} />;
}
