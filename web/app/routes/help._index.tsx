import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Help } from '../features/help/questions/help';
import { loadHelp } from '../features/help/questions/help.server';

export const handle = { i18n: ['support', 'home', 'tiers'] };
export const loader = loadHelp;
export { pageHeaders as headers } from '../http/page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'description', content: loaded?.description },
];

export default function HelpPage() {
  const { help } = useLoaderData<typeof loader>();
  return <Help help={help} />;
}
