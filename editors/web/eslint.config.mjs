import shared from '../vscode/eslint.config.mjs';

export default [...shared, { languageOptions: { parserOptions: { tsconfigRootDir: import.meta.dirname } } }];
