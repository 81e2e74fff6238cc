import type { MetaFunction } from '@remix-run/node';

type LoadTitle = () => { readonly title: string };

/** For pages whose loader returns their title. */
export const titleMeta: MetaFunction<LoadTitle> = ({ data: loaded }) => [{ title: loaded?.title }];

/** The same, for pages that search engines should not list. */
export const unlistedMeta: MetaFunction<LoadTitle> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex' },
];
