/** Colours, sizes and breakpoints have one home: src/styles. */
export default {
  extends: ['stylelint-config-recommended'],
  ignoreFiles: ['../src/gen/**'],
  rules: {
    'color-no-hex': true,
    'color-named': 'never',
    'function-disallowed-list': ['rgb', 'rgba', 'hsl', 'hsla'],
    'selector-class-pattern': ['^[a-z][a-zA-Z0-9]*$', { message: 'Class names are camelCase' }],
    'declaration-no-important': true,
    'media-feature-name-value-allowed-list': { width: ['640px', '768px', '1024px', '1280px', '1536px'] },
    'no-descending-specificity': null,
    'declaration-property-value-disallowed-list': { 'font-weight': ['bold', 'bolder'], '/^transition/': ['/all/'] },
  },
  overrides: [
    {
      files: ['../src/styles/**/*.css'],
      rules: { 'color-no-hex': null, 'color-named': null, 'function-disallowed-list': null },
    },
  ],
}
