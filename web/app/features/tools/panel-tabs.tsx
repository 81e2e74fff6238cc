import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useDocument } from '../../ui/page/document-data';

interface PanelTab {
  readonly key: string;
  readonly label: string;
  readonly content: ReactNode;
}

interface PanelTabsProps {
  readonly label: string;
  readonly tabs: readonly PanelTab[];
}

/**
 * Tabs whose contents are all mounted: they are parts of one form, and follow each other without JavaScript. Radix's
 * have a style attribute, which the content security policy forbids.
 */
export function PanelTabs({ label, tabs }: PanelTabsProps) {
  const { direction } = useDocument();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState(tabs[0]?.key);
  const onKeyDown = (event: KeyboardEvent) => {
    const index = targetOf(
      event.key,
      tabs.findIndex(({ key }) => key === selected),
      tabs.length,
      direction === 'rtl',
    );
    const tab = index === null ? undefined : tabs[index];
    if (!tab) return;
    event.preventDefault();
    setSelected(tab.key);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index ?? 0]?.focus();
  };
  return (
    <div className="flex flex-col gap-4">
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        tabIndex={-1}
        className="panel-tabs nojs:hidden"
        onKeyDown={onKeyDown}
      >
        {tabs.map((tab) => (
          <button
            key={tab.key}
            id={`${id}${tab.key}-tab`}
            type="button"
            role="tab"
            aria-selected={tab.key === selected}
            aria-controls={`${id}${tab.key}`}
            tabIndex={tab.key === selected ? 0 : -1}
            className="panel-tab"
            onClick={() => setSelected(tab.key)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.key}
          id={`${id}${tab.key}`}
          role="tabpanel"
          aria-labelledby={`${id}${tab.key}-tab`}
          className={`flex flex-col gap-6 ${tab.key === selected ? '' : 'js:hidden'}`}
        >
          <h2 className="text-title js:hidden">{tab.label}</h2>
          {tab.content}
        </div>
      ))}
    </div>
  );
}

/** Index of the tab that a key moves to, or null. */
function targetOf(key: string, current: number, count: number, isRtl: boolean): number | null {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowLeft':
      return (current + ((key === 'ArrowRight') === isRtl ? count - 1 : 1)) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
