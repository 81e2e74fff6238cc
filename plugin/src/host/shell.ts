import { action, core } from 'photoshop';
import { type Entrypoints, entrypoints, host, shell, versions } from 'uxp';

export const uiLocale = (): string => host.uiLocale;
export const pluginVersion = (): string => versions.plugin;

/** In the browser; Photoshop asks the user first. */
export const openInBrowser = (url: string): Promise<unknown> => shell.openExternal(url);

/** For commands, which have no panel to write to. */
export const showAlert = (message: string): Promise<void> => core.showAlert({ message });

/** Calls back when another document or layer may be active. */
export function onDocumentChange(listener: () => void): void {
  void action.addNotificationListener(['open', 'close', 'select', 'set', 'make', 'delete'], () => listener());
}

/** Has to be called once, while the script loads. */
export const setupEntrypoints = (setup: Entrypoints): void => entrypoints.setup(setup);
