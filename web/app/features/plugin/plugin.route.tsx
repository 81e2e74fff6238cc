import { useLoaderData } from '@remix-run/react';
import Check from 'lucide-react/icons/check';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../../ui/controls/button';
import { LinkedText } from '../../ui/page/linked-text';
import { CompareSlider } from '../../ui/picture/compare-slider';
import { loadPluginPage } from './plugin.server';

export const handle = { i18n: ['plugin', 'result'] };
export const loader = loadPluginPage;
export { privateHeaders as headers, titleMeta as meta } from '../../http/page';

const ABILITIES = ['scope', 'layer', 'batch', 'actions'] as const;
const STEPS = ['open', 'dialogs', 'connect'] as const;
const LINKS = { contact: '/help/contact?source=help', key: '/account/plugin-key', plans: '/pricing' };
const SIZE = { width: 800, height: 1000 };

export default function PluginPage() {
  const { plugin } = useLoaderData<typeof loader>();
  const { t } = useTranslation(['plugin', 'common', 'result']);
  return (
    <article className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-16 px-5 py-10 sm:px-8 sm:py-16">
      <header className="grid items-center gap-10 lg:grid-cols-[3fr_2fr] lg:gap-16">
        <div className="flex flex-col gap-5">
          <h1 className="text-display-sm">{t('page.heading')}</h1>
          <p className="max-w-prose text-lg text-pretty text-muted sm:text-xl">{t('page.lead')}</p>
          <div className="flex flex-col items-start gap-3 pt-2">
            <ButtonLink kind="primary" href={plugin.url} download>
              {t('page.download')}
            </ButtonLink>
            <p className="text-sm text-muted">{t('page.facts', { version: plugin.version, size: plugin.kilobytes })}</p>
          </div>
          <p className="max-w-prose text-sm text-pretty text-muted">
            <LinkedText text={t('page.beta')} links={LINKS} />
          </p>
        </div>
        <CompareSlider
          className="shadow-float js:aspect-[4/5]"
          label={t('result:compare')}
          beforeLabel={t('common:before')}
          afterLabel={t('common:after')}
          before={<img src="/samples/astronaut.jpg" alt={t('page.before')} {...SIZE} />}
          after={<img src="/samples/astronaut-after.jpg" alt={t('page.after')} {...SIZE} />}
        />
      </header>
      <section aria-labelledby="does" className="flex flex-col gap-5">
        <h2 id="does" className="text-title">
          {t('page.does.title')}
        </h2>
        <ul className="grid gap-4 sm:grid-cols-2">
          {ABILITIES.map((ability) => (
            <li key={ability} className="flex gap-3 rounded-2xl bg-raised p-5 shadow-soft">
              <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-accent-ink" />
              <span className="text-pretty">{t(`page.does.${ability}`)}</span>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="install" className="flex flex-col gap-5">
        <h2 id="install" className="text-title">
          {t('page.install.title')}
        </h2>
        <ol className="flex max-w-prose flex-col gap-4">
          {STEPS.map((step, index) => (
            <li key={step} className="flex gap-4">
              <span
                aria-hidden
                className="flex size-8 shrink-0 items-center justify-center rounded-full bg-quiet font-medium"
              >
                {index + 1}
              </span>
              <span className="pt-1 text-pretty">
                <LinkedText text={t(`page.install.${step}`)} links={LINKS} />
              </span>
            </li>
          ))}
        </ol>
        <p className="max-w-prose text-pretty text-muted">
          <LinkedText text={t('page.keys')} links={LINKS} /> {t('page.privacy', { host: plugin.hosts.join(', ') })}
        </p>
      </section>
      <section aria-labelledby="versions" className="flex flex-col gap-3">
        <h2 id="versions" className="text-title">
          {t('page.versions.title')}
        </h2>
        <dl className="flex max-w-prose gap-4">
          <dt className="font-medium">{plugin.version}</dt>
          <dd className="text-pretty text-muted">{t('page.versions.first')}</dd>
        </dl>
      </section>
    </article>
  );
}
