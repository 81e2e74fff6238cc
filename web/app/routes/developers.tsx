import type { MetaFunction } from '@remix-run/node';
import { Developers } from '../features/account/plugin-key/developers/developers';
import { loadDevelopers } from '../features/account/plugin-key/developers/developers.server';

export const handle = { i18n: ['support'] };
export const loader = loadDevelopers;
export { pageHeaders as headers } from '../http/page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'description', content: loaded?.description },
];

export default Developers;
