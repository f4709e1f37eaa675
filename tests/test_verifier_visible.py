"""What of a text is stated: struck-out, commented-out and hidden parts are not, layouts are."""

import pytest

from verifier.visible import stated_text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("5 lines", "5 lines"),
        ("a < b and b > c", "a < b and b > c"),
        ("5 <b>lines</b>", "5 <b>lines</b>"),
        ("~~5~~ 6", "  6"),
        ("~5~ 6", "  6"),
        ("~~5 lines~~, ~~6~~", " ,  "),
        ("~5 to ~8", "~5 to ~8"),
        ("~ 5 ~", "~ 5 ~"),
        ("~~5\n6~~", "~~5\n6~~"),
        ("5~6~7", "5~6~7"),
        ("~5~7", "~5~7"),
        ("~~~5~~~", "~~~5~~~"),
        ("a <!-- 5 --> b", "a   b"),
        ("a <!-- 5", "a  "),
        ("a <!-- 5\n6 --> b <!-- 7 -->", "a   b  "),
        ("a <s>5</s> b", "a    b"),
        ("a <DEL class='x'>5</del> b", "a    b"),
        ("a <strike>5</strike>", "a   "),
        ("a <strong>5</strong>", "a <strong>5</strong>"),
        ("a <s>5 <s>6</s> 7</s> b", "a    b"),
        ("a <s>5 <b>6</b></s> b", "a    b"),
        ("a <s>5", "a "),
        ("a <s>5 <br> 6</s> b", "a    b"),
        ("a <s style='color:white;background:#000'>5</s>", "a   "),
        ("a </s>5", "a </s>5"),
        ("a <p hidden>5</p>b", "a   b"),
        ("a <p hidden='hidden'>5</p>b", "a   b"),
        ("a <p class='x' hidden>5</p>b", "a   b"),
        ("a <p data='not hiddenly'>5</p>", "a <p data='not hiddenly'>5</p>"),
        ("a <p style='display:none'>5</p>", "a   "),
        ("a <p style='DISPLAY : NONE'>5</p>", "a   "),
        ("a <p style='display:block'>5</p>", "a <p style='display:block'>5</p>"),
        ("a <p style='visibility: hidden'>5</p>", "a   "),
        ("a <p style='opacity: 0'>5</p>", "a   "),
        ("a <p style='opacity: 0.0'>5</p>", "a   "),
        ("a <p style='opacity: 0.5'>5</p>", "a <p style='opacity: 0.5'>5</p>"),
        ("a <p style='font-size: 0'>5</p>", "a   "),
        ("a <p style='font-size: 0.9em'>5</p>", "a <p style='font-size: 0.9em'>5</p>"),
        ("a <p style='color: white'>5</p>", "a   "),
        ("a <p style='color:#FFF'>5</p>", "a   "),
        ("a <p style='color:#ffffff'>5</p>", "a   "),
        ("a <p style='color:#fff000'>5</p>", "a <p style='color:#fff000'>5</p>"),
        ("a <p style='color: transparent'>5</p>", "a   "),
        ("a <p style='background-color: white'>5</p>", "a <p style='background-color: white'>5</p>"),
        ("a <th style='color:white; background:#000'>5</th>", "a <th style='color:white; background:#000'>5</th>"),
        ("a <p style='display:none; background:#000'>5</p>", "a   "),
        ('a <font color="white">5</font>', "a   "),
        ("a <br hidden>5", "a <br hidden>5"),
        ("> 5 lines", "> 5 lines"),
        ("`5`", "`5`"),
    ],
)
def test_stated_text(text: str, left: str) -> None:
    assert stated_text(text) == left
