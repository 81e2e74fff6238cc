import { Tabs } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { AppLink } from '../page/app-link';
import { useDocument } from '../page/document-data';
import { useScrollRow } from '../page/use-scroll-row';
import { useModalFrame } from './modal-frame';

interface ModalTab<Key extends string> {
  readonly key: Key;
  readonly label: string;
  readonly address: string;
}

interface ModalTabsProps<Key extends string> {
  readonly label: string;
  readonly tabs: readonly ModalTab<Key>[];
  readonly selected: Key;
  readonly onSelect: (key: Key) => void;
  /** Called for links and for tabs of the dialog. */
  readonly onTap?: (key: Key) => void;
  readonly children: ReactNode;
}

const LIST = 'scroll-row sm:w-44 sm:shrink-0 sm:flex-col sm:flex-nowrap';
const TAB =
  'flex min-h-11 shrink-0 cursor-pointer items-center rounded-xl px-3.5 py-2 text-start text-[0.9375rem] font-medium transition';
const SELECTED = 'bg-accent-soft text-ink';
const OTHER = 'text-muted hover:text-ink';

/** Vertical tabs in a modal; on the modal's page, links to a page for each tab. */
export function ModalTabs<Key extends string>(props: ModalTabsProps<Key>) {
  const { label, tabs, selected, onSelect, onTap, children } = props;
  const { direction } = useDocument();
  const { mode } = useModalFrame();
  const row = useScrollRow<HTMLDivElement>(tabs.findIndex(({ key }) => key === selected));
  // Radix selects on pointer down and again on focus, before the new tab is rendered.
  const requested = useRef(selected);
  useEffect(() => {
    requested.current = selected;
  }, [selected]);
  if (mode === 'page') {
    return (
      <div className="flex flex-col gap-6 sm:flex-row sm:gap-10">
        <nav ref={row} aria-label={label} className={LIST}>
          {tabs.map((tab) => (
            <AppLink
              key={tab.key}
              to={tab.address}
              onClick={() => onTap?.(tab.key)}
              aria-current={tab.key === selected ? 'page' : undefined}
              className={`${TAB} ${tab.key === selected ? SELECTED : OTHER}`}
            >
              {tab.label}
            </AppLink>
          ))}
        </nav>
        <div className="flex min-w-0 flex-1 flex-col gap-5">{children}</div>
      </div>
    );
  }
  return (
    <Tabs.Root
      orientation="vertical"
      dir={direction}
      value={selected}
      onValueChange={(value) => {
        const chosen = tabs.find(({ key }) => key === value);
        if (!chosen || chosen.key === requested.current) return;
        requested.current = chosen.key;
        onTap?.(chosen.key);
        onSelect(chosen.key);
      }}
      className="flex flex-col gap-6 sm:flex-row sm:gap-8"
    >
      <Tabs.List ref={row} aria-label={label} className={`max-sm:js:me-8! ${LIST}`}>
        {tabs.map((tab) => (
          <Tabs.Trigger
            key={tab.key}
            value={tab.key}
            {...(tab.key === selected ? { 'data-autofocus': '' } : {})}
            className={`${TAB} ${tab.key === selected ? SELECTED : OTHER}`}
          >
            {tab.label}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {tabs.map((tab) => (
        <Tabs.Content key={tab.key} value={tab.key} className="flex min-w-0 flex-1 flex-col gap-5 rounded-2xl">
          {tab.key === selected && children}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
