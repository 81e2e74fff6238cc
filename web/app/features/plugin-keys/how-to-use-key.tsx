import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../ui/content/code-block';
import { AppLink, TEXT_LINK } from '../../ui/page/app-link';
import { LinkedText } from '../../ui/page/linked-text';
import { enhanceExample } from './enhance-example';

export function HowToUseKey({ apiUrl }: { readonly apiUrl: string }) {
  const { t } = useTranslation('account');
  return (
    <div className="flex flex-col gap-3 px-3 py-2">
      <p className="text-pretty">
        <LinkedText text={t('pluginKey.use.photoshop')} links={{ plugin: '/plugin' }} />
      </p>
      <p className="text-pretty">{t('pluginKey.use.server')}</p>
      <CodeBlock on="well">{enhanceExample(apiUrl)}</CodeBlock>
      <p>
        <AppLink to="/developers" className={TEXT_LINK}>
          {t('pluginKey.use.guide')}
        </AppLink>
      </p>
    </div>
  );
}
