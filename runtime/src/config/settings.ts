/**
 * Base of a class with the given fields, for settings that are injected by their class:
 * `class MailConfig extends Settings<MailSettings>() {}`.
 */
export function Settings<Values extends object>(): new (values: Readonly<Values>) => Readonly<Values> {
  class WithValues {
    constructor(values: Readonly<Values>) {
      Object.assign(this, values);
    }
  }
  return WithValues as new (
    values: Readonly<Values>,
  ) => Readonly<Values>;
}
