import type { LucideIcon } from 'lucide-react';
import Check from 'lucide-react/icons/check';
import X from 'lucide-react/icons/x';

export interface Feature {
  readonly key: string;
  readonly text: string;
  readonly isIncluded: boolean;
  readonly Icon?: LucideIcon;
}

interface FeatureListProps {
  readonly features: readonly Feature[];
  readonly includedLabel: string;
  readonly excludedLabel: string;
}

export function FeatureList({ features, includedLabel, excludedLabel }: FeatureListProps) {
  return (
    <ul className="flex flex-col gap-3">
      {features.map(({ key, text, isIncluded, Icon = Check }) => {
        const StateIcon = isIncluded ? Icon : X;
        return (
          <li key={key} className={`flex gap-3 ${isIncluded ? '' : 'text-muted'}`}>
            <span
              className={`mt-0.5 grid size-5 shrink-0 place-items-center rounded-full ${
                isIncluded ? 'bg-accent-soft text-accent-ink' : 'bg-raised-strong'
              }`}
            >
              <StateIcon aria-hidden className="size-3.5" strokeWidth={2.5} />
            </span>
            <span className="sr-only">{isIncluded ? includedLabel : excludedLabel}</span>
            <span className="min-w-0 text-pretty">{text}</span>
          </li>
        );
      })}
    </ul>
  );
}
