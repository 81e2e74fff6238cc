import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../../ui/content/code-block';
import { AppLink, TEXT_LINK } from '../../../ui/page/app-link';

/** In Photoshop, and on a server. */
export function HowToUseKey({ enhanceUrl }: { readonly enhanceUrl: string }) {
  const { t } = useTranslation('account');
  return (
    <div className="flex flex-col gap-3 px-3 py-2">
      <p className="text-pretty">{t('pluginKey.use.photoshop')}</p>
      <p className="text-pretty">{t('pluginKey.use.server')}</p>
      <CodeBlock>{curlExample(enhanceUrl)}</CodeBlock>
      <p>
        <AppLink to="/developers" className={TEXT_LINK}>
          {t('pluginKey.use.guide')}
        </AppLink>
      </p>
    </div>
  );
}

const curlExample = (url: string): string => `curl ${url} \\
  -H 'X-Api-Key: cfk_…' \\
  -H 'Prefer: wait=60' \\
  -H 'Content-Type: image/jpeg' \\
  --data-binary @photo.jpg \\
  -o result.jpg`;
