import { useActionData, useLoaderData } from '@remix-run/react';
import { loadUpgrade, type upgrade } from '../features/billing/subscription/upgrade/upgrade.server';
import { UpgradeConfirmation } from '../features/billing/subscription/upgrade/upgrade-confirmation';

export const handle = { i18n: ['tiers'] };
export const loader = loadUpgrade;
export { PurchaseBoundary as ErrorBoundary } from '../features/billing/payment/refused-page';
export { upgrade as action } from '../features/billing/subscription/upgrade/upgrade.server';
export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default function UpgradeConfirmPage() {
  const { problem, ...offer } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof upgrade>();
  return <UpgradeConfirmation upgrade={offer} problem={refused?.problem ?? problem} />;
}
