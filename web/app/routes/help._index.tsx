import { useLoaderData } from '@remix-run/react';
import { Help } from '../features/help/questions/help';
import { loadHelp } from '../features/help/questions/help.server';

export const handle = { i18n: ['support', 'home', 'tiers'] };
export const loader = loadHelp;
export { pageHeaders as headers } from '../http/page-headers';
export { titleMeta as meta } from '../http/page-meta';

export default function HelpPage() {
  const { help } = useLoaderData<typeof loader>();
  return <Help help={help} />;
}
