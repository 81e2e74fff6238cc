import Ban from 'lucide-react/icons/ban';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../../ui/content/badge';
import { Skeleton } from '../../../../ui/content/skeleton';
import { CUSTOM_BOKEH } from '../choices/choices';
import type { LooksView } from '../looks/use-looks';
import { useNames } from './names';
import { Strength } from './strength';
import type { ToolControlProps } from './tool-control';

interface FilterToolProps extends ToolControlProps {
  readonly looks: LooksView;
}

/** A tool whose models are pictures of this photo to choose from. */
export function FilterTool({ tool: { tool, models }, choice, onChange, looks }: FilterToolProps) {
  const { t } = useTranslation('result');
  const names = useNames();
  const own = choice.model === CUSTOM_BOKEH ? [{ model: CUSTOM_BOKEH, requiredPlan: null }] : [];
  return (
    <section className="flex flex-col gap-2">
      <fieldset className="flex min-w-0 flex-col gap-2">
        <legend className="contents font-medium">{t(`panel.tools.${tool}`)}</legend>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(4.75rem,1fr))] gap-2">
          <Filter
            tool={tool}
            value=""
            isChecked={choice.model === null}
            onSelect={() => onChange({ model: null })}
            picture={
              <span className="filter-picture grid place-items-center text-muted">
                <Ban aria-hidden className="size-6" />
              </span>
            }
          >
            {t('panel.off')}
          </Filter>
          {[...own, ...models].map(({ model, requiredPlan }) => (
            <Filter
              key={model}
              tool={tool}
              value={model}
              isChecked={choice.model === model}
              onSelect={() => onChange({ model })}
              picture={<LookPicture url={looks.urls[`${tool}.${model}`] ?? null} isPending={looks.isPending} />}
              badge={
                requiredPlan && (
                  <Badge variant="business">
                    {names.plan(requiredPlan)}
                    <span className="sr-only">{t('panel.preview.badge')}</span>
                  </Badge>
                )
              }
            >
              {names.model(tool, model)}
            </Filter>
          ))}
        </div>
      </fieldset>
      <Strength
        tool={tool}
        value={choice.strength}
        isShown={choice.model !== null}
        onChange={(strength) => onChange({ strength })}
      />
    </section>
  );
}

interface FilterProps {
  readonly tool: string;
  readonly value: string;
  readonly isChecked: boolean;
  readonly onSelect: () => void;
  readonly picture: ReactNode;
  readonly badge?: ReactNode;
  /** The name. */
  readonly children: ReactNode;
}

function Filter({ tool, value, isChecked, onSelect, picture, badge, children }: FilterProps) {
  return (
    <label className="filter">
      <input type="radio" name={tool} value={value} checked={isChecked} onChange={onSelect} className="filter-input" />
      {picture}
      <span className="max-w-full text-center text-caption break-words hyphens-auto">{children}</span>
      {badge}
    </label>
  );
}

/** Named below, so without a text of its own. */
function LookPicture({ url, isPending }: { readonly url: string | null; readonly isPending: boolean }) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  if (url !== null && url !== failedUrl)
    return (
      <img
        src={url}
        alt=""
        loading="lazy"
        decoding="async"
        className="filter-picture object-cover"
        onError={() => setFailedUrl(url)}
      />
    );
  if (isPending) return <Skeleton className="filter-picture nojs:hidden" />;
  return <span className="filter-picture nojs:hidden" />;
}
