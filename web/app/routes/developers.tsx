import { Developers } from '../features/account/plugin-key/developers/developers';
import { loadDevelopers } from '../features/account/plugin-key/developers/developers.server';

export const handle = { i18n: ['support'] };
export const loader = loadDevelopers;
export { pageHeaders as headers } from '../http/page-headers';
export { titleMeta as meta } from '../http/page-meta';

export default Developers;
