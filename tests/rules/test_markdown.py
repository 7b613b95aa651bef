"""The text of a rule as HTML, and as plain text without its Markdown."""

import pytest

from rules.markdown import plain, render


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ('[x](/rules/ "Rules")', '<p><a href="/rules/" title="Rules" rel="noopener noreferrer">x</a></p>'),
        ("[x](mailto:a@b.example)", '<p><a href="mailto:a@b.example" rel="noopener noreferrer">x</a></p>'),
        ("[x](http://b.example)", '<p><a href="http://b.example" rel="noopener noreferrer">x</a></p>'),
        ("[x](https://b.example)", '<p><a href="https://b.example" rel="noopener noreferrer">x</a></p>'),
        ("[x](ftp://b.example)", '<p><a rel="noopener noreferrer">x</a></p>'),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
        ("<em>x</em>", "<p>&lt;em&gt;x&lt;/em&gt;</p>"),
        ("![x](https://b.example/a.png)", "<p></p>"),
        ("# A\n\n## B\n\n### C\n\n###### F", "<h3>A</h3>\n<h4>B</h4>\n<h5>C</h5>\n<h6>F</h6>"),
        ("> a\n\n---\n\n`b`", "<blockquote>\n<p>a</p>\n</blockquote>\n<hr>\n<p><code>b</code></p>"),
        ("1. a\n2. b", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
        ("    a\n", "<pre><code>a\n</code></pre>"),
        ("a  \nb", "<p>a<br>\nb</p>"),
        (
            "|a|\n|-|\n|b|",
            "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>",
        ),
    ],
)
def test_supported_markdown_becomes_html(text, html):
    assert render(text).strip() == html


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a  \nb\nc", "a b c"),
        ("a **b** _c_ `d`", "a b c d"),
        ("# A\n\n1. b\n2. c", "A b c"),
        ("[x](/rules/)", "x"),
        ("|a|b|\n|-|-|\n|c|d|", "a b c d"),
        ("", ""),
    ],
)
def test_plain_text_has_no_markdown_marks(text, words):
    assert plain(text) == words
