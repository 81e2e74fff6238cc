import { Tabs } from 'radix-ui';
import type { ReactNode } from 'react';
import { useDocument } from '../../../../ui/page/document-data';

interface PanelTab {
  readonly key: string;
  readonly label: string;
  readonly content: ReactNode;
}

interface PanelTabsProps {
  /** Accessible name. */
  readonly label: string;
  readonly tabs: readonly PanelTab[];
}

/** Without JavaScript all tabs follow each other. All are mounted: they are parts of one form. */
export function PanelTabs({ label, tabs }: PanelTabsProps) {
  const { direction } = useDocument();
  return (
    <Tabs.Root dir={direction} defaultValue={tabs[0]?.key} className="flex flex-col gap-4">
      <Tabs.List aria-label={label} className="panel-tabs nojs:hidden">
        {tabs.map((tab) => (
          <Tabs.Trigger key={tab.key} value={tab.key} className="panel-tab">
            {tab.label}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {tabs.map((tab) => (
        <Tabs.Content
          key={tab.key}
          value={tab.key}
          forceMount
          className="flex flex-col gap-6 data-[state=inactive]:js:hidden"
        >
          <h2 className="text-title js:hidden">{tab.label}</h2>
          {tab.content}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
