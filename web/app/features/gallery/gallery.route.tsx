import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { FlashNotice } from '../../ui/toast/flash-notice';
import { loadGallery, type submitGallery } from './gallery.server';
import { ContentSpecimens, ControlSpecimens, FormSpecimens, TEXTS, type Variant } from './specimens';

export { privateHeaders as headers } from '../../http/page';
export { submitGallery as action } from './gallery.server';
export const loader = loadGallery;

export const meta: MetaFunction = () => [{ title: TEXTS.title }, { name: 'robots', content: 'noindex' }];

export default function GalleryPage() {
  const { flash, variants } = useLoaderData<typeof loader>();
  const received = useActionData<typeof submitGallery>()?.received ?? null;
  return (
    <div className="mx-auto flex w-full max-w-[100rem] flex-col gap-8 px-5 pb-16 sm:px-8">
      {flash && <FlashNotice id={flash.id} text={TEXTS.flash} />}
      <div className="space-y-3">
        <h1 className="text-display-sm">{TEXTS.title}</h1>
        <p className="text-lg text-muted">{TEXTS.lead}</p>
      </div>
      <div className={`grid items-start gap-6 ${variants.length > 1 ? 'lg:grid-cols-2' : ''}`}>
        {variants.map((variant) => (
          <Panel key={`${variant.theme} ${variant.direction}`} variant={variant} received={received} />
        ))}
      </div>
    </div>
  );
}

interface PanelProps {
  readonly variant: Variant;
  readonly received: readonly string[] | null;
}

function Panel({ variant: { theme, direction }, received }: PanelProps) {
  const { names, [direction]: texts } = TEXTS;
  return (
    <section
      aria-label={`${names[theme]}, ${names[direction]}`}
      data-theme={theme}
      dir={direction}
      lang={direction === 'rtl' ? 'ar' : 'en'}
      className="@container min-w-0 rounded-picture bg-ground p-5 text-ink shadow-soft sm:p-8"
    >
      <p dir="ltr" lang="en" className="mb-6 text-sm text-muted">
        {names[theme]}, {names[direction]}
      </p>
      <div className="grid gap-4 @2xl:grid-cols-2">
        <ControlSpecimens texts={texts} />
        <FormSpecimens texts={texts} received={received} scope={`${theme}-${direction}`} />
        <ContentSpecimens texts={texts} />
      </div>
    </section>
  );
}
